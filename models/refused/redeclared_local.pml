/* The same local is declared twice. */
active proctype P()
{
	byte x;
	int x;	// error: x is declared twice
	x = 1
}
