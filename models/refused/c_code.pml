/* Embedded C statements are refused. */
int x;

active proctype P()
{
	x = 1;
	c_code { now.x++; };	// error: embedded C (c_code) is not supported
	x = 2
}
