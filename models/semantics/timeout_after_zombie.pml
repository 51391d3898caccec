/* The death of a process counts as a move, so the timeout waits for it. */
byte n;

active proctype Watch()
{
	timeout;
	assert(_nr_pr == 1);
	n = 2
}

active proctype Short()
{
	n = 1
}
