/* Output, assertions and skips inside an atomic are steps whose states are not stored. */
mtype = { low, high };
mtype m = low;
byte n;

active [2] proctype Say()
{
	atomic {
		printf("process %d starts\n", _pid);
		skip;
		assert(n < 2);
		n++;
		printm(m)
	};
	printf("n is %d, x is %x, c is %c, m is %e\n", n, n, n, m)
}
