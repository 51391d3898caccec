/* The non-consuming random receive copies the first match from anywhere in the buffer. */
chan q = [3] of { byte, byte };
byte v;

active proctype Deep()
{
	q ! 1, 10;
	q ! 2, 20;
	q ! 2, 21;
	q ?? <2, v>;
	assert(v == 20 && len(q) == 3);
	q ?? 2, v;
	assert(v == 20);
	q ?? <2, v>;
	assert(v == 21 && len(q) == 2);
	q ? 1, v;
	assert(v == 10)
}
