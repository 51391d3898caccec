/* Every worker brings its own channel; the channel disappears with the worker and comes back empty with the next one. */
byte round;

proctype Worker(byte n)
{
	chan store = [2] of { byte };
	byte v;

	assert(empty(store));
	store ! n;
	store ! n + 1;
	store ? v;
	assert(v == n);
	round++
}

init {
	run Worker(3);
	round == 1;
	_nr_pr == 1;
	run Worker(5);
	round == 2;
	_nr_pr == 1;
	round = 0
}
