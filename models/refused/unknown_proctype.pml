/* A process type is started that does not exist. */
byte x;

init {
	x = 1;
	run Ghost()	// error: unknown proctype Ghost
}
