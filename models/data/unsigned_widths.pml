/* Unsigned variables of several widths, global and local, hold only their low bits.
   The counter of width three runs through its eight values for ever. */
unsigned u : 3;
unsigned w : 5 = 31;
unsigned one : 1;

active proctype Spinning()
{
	do
	:: u = u + 1
	od
}

active proctype Widths()
{
	unsigned v : 7 = 100;

	w = w + 1;
	assert(w == 0);
	w = w - 1;
	assert(w == 31);
	v = v * 2;
	assert(v == 72);
	one = v + 1;
	assert(one == 1)
}
