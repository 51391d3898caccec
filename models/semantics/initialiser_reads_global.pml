/* The initialiser of a local is evaluated when the process is created, so a started process sees the present value. */
byte g = 1;
byte out;

proctype Child()
{
	byte mine = g * 10;

	out = out + mine
}

init {
	run Child();
	g = 2;
	run Child();
	g = 3;
	_nr_pr == 1;
	assert(out == 30)
}
