/* The last statement of the atomic is an if with branches of different length. */
byte x;
byte seen;

active proctype Tail()
{
	atomic {
		x = 1;
		if
		:: x == 1
		:: x == 1 -> x = 2
		:: x = 3; x = 4
		fi
	}
	x = 5
}

active proctype Reader()
{
	seen = x
}
