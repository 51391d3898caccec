/* spin's verifier initialises all globals of a small type before those of a larger one, whatever the order of the text.
   The byte below therefore sees the int still at zero, and the bit sees the byte at zero. */
int big = 7;
byte small = big + 1;
bit tiny = small;
short mid = big + small;

active proctype Check()
{
	assert(big == 7);
	assert(small == 1);
	assert(tiny == 0);
	assert(mid == 1);
	mid = big + small + tiny;
	assert(mid == 8)
}
