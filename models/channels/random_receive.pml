/* The random receive takes the first message that matches, wherever it stands in the buffer. */
mtype = { data, ctl };
chan q = [3] of { mtype, byte };
byte x;

active proctype Feed()
{
	q ! data(1);
	q ! ctl(2);
	q ! data(3)
}

active proctype Fetch()
{
	byte want = 3;

	q ?? ctl(x);
	assert(x == 2);
	q ?? data(eval(want));
	q ? data(x);
	assert(x == 1);
	assert(len(q) == 0)
}
