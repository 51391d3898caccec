/* Embedded C declarations are refused. */
c_decl { typedef int Counter; }	// error: embedded C (c_decl) is not supported
int x;

active proctype P()
{
	x = 1
}
