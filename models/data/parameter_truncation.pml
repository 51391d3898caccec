/* Values given to run are cut to the type of the parameter. */
int out;

proctype Take(byte a; bit b; short c)
{
	out = a + 1000 * b;
	assert(out == 1044);
	out = c;
	assert(out == -1);
	a = a - 45;
	assert(a == 255)
}

init {
	run Take(300, 5, 65535)
}
