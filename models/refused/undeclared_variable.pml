/* A variable is used that was never declared. */
byte x;

active proctype P()
{
	x = y + 1	// error: undeclared variable y
}
