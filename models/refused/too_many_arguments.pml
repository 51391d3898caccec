/* A process is started with too many arguments. */
byte x;

proctype P(byte a)
{
	x = a
}

init {
	run P(1, 2)	// error: P takes 1 argument, not 2
}
