/* The same global is declared twice. */
byte x;
short x;	// error: x is declared twice

active proctype P()
{
	x = 1
}
