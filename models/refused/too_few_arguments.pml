/* A process is started with too few arguments. */
byte x;

proctype P(byte a; byte b)
{
	x = a + b
}

init {
	run P(1)	// error: P takes 2 arguments, not 1
}
