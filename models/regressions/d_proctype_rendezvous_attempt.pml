/* In a D_proctype a send counts as a second move even if nobody accepts it. */
chan c = [0] of { byte };
byte x;

active D_proctype D()
{
	if
	:: x == 0 -> x = 1
	:: c!2
	fi
}
