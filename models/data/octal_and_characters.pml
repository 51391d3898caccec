/* Character constants, true, false and skip are just numbers. */
byte c = 'a';
int n;

active proctype Lit()
{
	assert(c == 97);
	c = 'z' - c;
	assert(c == 25);
	n = true + true + false + skip;
	assert(n == 3);
	n = 1000000;
	assert(n == 1000 * 1000)
}
