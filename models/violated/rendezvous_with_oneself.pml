/* A process offers both ends of a handshake to itself, which never happens. */
chan h = [0] of { byte };
byte x;

active proctype Lonely()
{
	x = 1;
	if
	:: h ! 1 -> x = 2
	:: h ? x
	fi
}
