/* The notations with a comma and with parentheses mean the same message. */
mtype = { open, close, move };
chan c = [3] of { mtype, byte, byte };
byte a, b;

active proctype Writer()
{
	c ! open(1, 2);
	c ! move, 3, 4;
	c ! close(5, 6)
}

active proctype Reader()
{
	mtype m;

	c ? open, a, b;
	assert(a == 1 && b == 2);
	c ? m(a, b);
	assert(m == move && a + b == 7);
	if
	:: c ? open(a, b) -> assert(false)
	:: c ? close(_, b) -> assert(b == 6)
	fi
}
