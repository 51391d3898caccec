/* A label with nothing behind it stands on an implied statement, which is a step. */
byte x;

active proctype P()
{
	if
	:: x == 0 -> goto leave
	:: x == 1 -> x = 2
	fi;
	x = 3;
leave:
}

active proctype Q()
{
	x = 1
}
