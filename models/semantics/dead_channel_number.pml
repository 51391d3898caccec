/* A started process takes over the channel number of its dead predecessor, as the stored channel identity shows. */
chan first, second;
byte rounds;

proctype Own(bit k)
{
	chan c = [1] of { byte };

	if
	:: k == 0 -> first = c
	:: k == 1 -> second = c
	fi;
	rounds++
}

init {
	run Own(0);
	_nr_pr == 1;
	run Own(1);
	_nr_pr == 1;
	assert(first == second && rounds == 2)
}
