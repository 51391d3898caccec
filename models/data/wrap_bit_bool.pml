/* A bit and a bool keep only the lowest bit of what is stored in them.
   The right-hand side itself is computed with full width. */
bit b;
bool f = true;

active proctype Store()
{
	b = 3;
	assert(b == 1);
	b = b + 1;
	assert(b == 0);
	f = 2;
	assert(!f);
	f = 7;
	assert(f == true);
	b = f + f + f;
	assert(b == 1)
}
