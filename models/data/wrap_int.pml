/* An int has 32 bits with sign; the step over the largest value goes to the smallest one.
   Shifting a one into the sign position also gives the smallest value. */
int top = 2147483647;
int one = 1;
int r;

active proctype Edge()
{
	top = top + one;
	assert(top < 0);
	r = one << 31;
	assert(r == top);
	r = r - one;
	assert(r == 2147483647)
}
