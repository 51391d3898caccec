/* A sorted send goes before the first larger message, even when plain sends left the buffer unsorted. */
chan s = [5] of { byte };
byte v;

inline expect(n)
{
	s ? v;
	assert(v == n)
}

active proctype Mix()
{
	s ! 4;
	s ! 1;
	s !! 3;
	s !! 4;
	s !! 0;
	expect(0);
	expect(3);
	expect(4);
	expect(1);
	expect(4)
}
