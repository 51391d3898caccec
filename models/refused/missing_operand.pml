/* An operator lacks its right operand. */
byte x;

active proctype P()
{
	x = 3 * ;	// error: expected an expression
	x = 1
}
