/* A jump from one atomic into the middle of another stays atomic all along. */
byte x;
byte y;

active proctype Leap()
{
	atomic {
		x = 1;
		x = 2;
		goto middle
	}
	atomic {
		x = 90;
middle:	x = x + 1;
		x = x + 1
	}
	assert(x == 4)
}

active proctype Watch()
{
	y = x;
	assert(y == 0 || y == 4);
	y = x
}
