/* The else of a loop beside a receive drains a buffer. */
chan q = [3] of { byte };
byte sum;

active proctype Fill()
{
	q ! 1; q ! 2; q ! 3
}

active proctype Drain()
{
	byte v;

	full(q);
	do
	:: q ? v -> sum = sum + v
	:: else -> break
	od;
	assert(sum == 6)
}
