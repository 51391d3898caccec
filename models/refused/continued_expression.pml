/* A newline after a complete expression ends the statement, so the next line starts with an operator. */
byte x;

active proctype P()
{
	x = 1
	    + 2	// error: unexpected +
}
