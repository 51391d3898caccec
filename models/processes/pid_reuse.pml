/* The number of a dead process is given to the next one. */
byte rounds;
pid last;

proctype Job()
{
	last = _pid
}

init {
	do
	:: rounds < 3 ->
		run Job();
		_nr_pr == 1;
		assert(last == 1);
		last = 0;
		rounds++
	:: rounds == 3 -> break
	od
}
