/* Inside atomics the buffered channel blocks and wakes, while a third process slips in only when both are blocked. */
chan q = [1] of { byte };
byte slips;

active proctype Put()
{
	atomic {
		q ! 1;
		q ! 2;
		q ! 3
	}
}

active proctype Get()
{
	byte v;

	atomic {
		q ? v;
		assert(v == 1);
		q ? v;
		q ? v;
		assert(v == 3)
	}
}

active proctype Slip()
{
	slips++;
	slips++
}
