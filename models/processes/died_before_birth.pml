/* New processes are started while finished ones cannot disappear yet, so the pids go on counting. */
byte top;

proctype Short()
{
	top = (_pid > top -> _pid : top)
}

proctype Long()
{
	top > 1;
	skip
}

init {
	run Short();
	run Long();
	run Short();
	_nr_pr == 1;
	assert(top == 2 || top == 3)
}
