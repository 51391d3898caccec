/* A break inside a d_step leaves a loop outside of it. */
byte x;

active proctype P()
{
	do
	:: d_step { x < 3 -> x++; x++ }
	:: d_step { x >= 3 -> x = 0; break }	// error: jump out of a d_step
	od
}
