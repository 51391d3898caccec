/* A local with the name of a global declared before it. */
byte x;

active proctype P()
{
	byte x;	// error: x is declared twice, a local may not hide a global
	x = 1
}
