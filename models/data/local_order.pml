/* Locals, unlike globals, are initialised strictly in the order of the text. */
int g = 9;

active proctype P()
{
	int big = g;
	byte small = big + 1;
	bit tiny = small - 9;
	short mid = small + tiny;

	assert(big == 9 && small == 10 && tiny == 1 && mid == 11);
	mid = 0
}
