/* A jump out of an atomic ends the atomicity at the target of the jump. */
byte x;
byte y;

active proctype Jump()
{
	atomic {
		x = 1;
		if
		:: y == 0 -> goto outside
		:: y > 0 -> x = 2
		fi;
		x = 3
	}
	x = 4;
outside:
	x = x + 10;
	x = x + 10
}

active proctype Seen()
{
	y = x + 1;
	y = x + 2
}
