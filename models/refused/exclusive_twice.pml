/* Two proctypes claim the sending end of the same channel. */
chan q = [2] of { byte };

active proctype One()
{
	xs q;
	q ! 1
}

active proctype Two()
{
	xs q;	// error: One has claimed this end
	q ! 2
}
