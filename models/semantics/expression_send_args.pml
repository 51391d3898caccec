/* Expressions in sends are evaluated at the moment of the send. */
chan q = [2] of { byte, byte };
byte x = 3;

active proctype S()
{
	q ! x + 1, (x > 3 -> 1 : 2);
	q ! x * x, len(q)
}

active proctype M()
{
	x = 4
}

active proctype R()
{
	byte a, b;

	q ? a, b;
	assert((a == 4 && b == 2) || (a == 5 && b == 1));
	q ? a, b;
	assert(a == 9 || a == 16);
	assert(b <= 1)
}
