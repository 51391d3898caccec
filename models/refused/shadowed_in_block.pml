/* A variable in an inner block with the name of one in the enclosing block. */
active proctype P()
{
	byte x;
	x = 1;
	{
		byte x;	// error: x is declared twice, an inner block may not hide an outer variable
		x = 2
	}
}
