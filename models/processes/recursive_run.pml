/* Each process starts the next smaller problem and waits for the answer on a channel of its own. */
proctype Fact(byte n; chan up)
{
	chan down = [1] of { int };
	int r;

	if
	:: n <= 1 -> up ! 1
	:: n > 1 ->
		run Fact(n - 1, down);
		down ? r;
		up ! n * r
	fi
}

init {
	chan top = [1] of { int };
	int r;

	run Fact(5, top);
	top ? r;
	assert(r == 120)
}
