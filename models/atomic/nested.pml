/* An atomic inside an atomic adds nothing; the end of the inner one does not end the outer one. */
byte x;
byte seen;

active proctype Nest()
{
	atomic {
		x = 1;
		atomic {
			x = 2;
			x = 3
		};
		x = 4;
		atomic { x = 5 }
	}
	x = 6
}

active proctype Reader()
{
	seen = x;
	assert(seen == 0 || seen >= 5)
}
