/* The value of run is the pid of the new process. */
pid p, q;
bool stop;

proctype Child(pid parent)
{
	assert(_pid > parent);
	stop
}

init {
	p = run Child(_pid);
	q = run Child(p - 1);
	assert(p == 1 && q == 2);
	stop = true
}
