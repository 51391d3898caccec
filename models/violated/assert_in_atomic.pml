/* The assertion fails inside an atomic, and the search with -c0 goes on behind it. */
byte x;

active [2] proctype P()
{
	atomic {
		x++;
		assert(x < 2);
		x++;
		assert(x != 4)
	}
	x = 0
}
