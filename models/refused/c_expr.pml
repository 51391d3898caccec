/* Embedded C expressions are refused. */
int x;

active proctype P()
{
	c_expr { now.x == 0 };	// error: embedded C (c_expr) is not supported
	x = 2
}
