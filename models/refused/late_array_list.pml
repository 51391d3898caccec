/* An array with a list of values is declared below the first statement. */
byte n;

active proctype P()
{
	n = 1;
	byte a[2] = { 1, 2 };	// error: a list of values is allowed only at the start of the proctype
	n = a[1]
}
