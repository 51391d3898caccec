/* Children started inside an atomic wait until it is over, so none of them sees the flag still down. */
bool ready;
byte n;

proctype Child(byte k)
{
	assert(ready);
	n = n + k
}

init {
	atomic {
		run Child(1);
		run Child(2);
		run Child(4);
		ready = true
	}
	_nr_pr == 1;
	assert(n <= 7)
}
