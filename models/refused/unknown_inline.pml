/* Something is called that is no inline. */
byte x;

active proctype P()
{
	frob(x);	// error: unknown inline frob
	x = 1
}
