/* The number of living processes is read while others come and go. */
byte high;

proctype Leaf()
{
	high = (_nr_pr > high -> _nr_pr : high)
}

init {
	run Leaf();
	run Leaf();
	_nr_pr <= 2;
	high = _nr_pr;
	_nr_pr == 1;
	assert(high > 0)
}
