/* Object-like macros that use each other, also as array size, width and type. */
#define N 3
#define DOUBLE_N (N + N)
#define small byte
#define BITS 4
small a[N];
unsigned u : BITS;
int r;

active proctype P()
{
	r = DOUBLE_N * 2;
	assert(r == 12);
	a[N - 1] = DOUBLE_N;
	u = a[2] * N;
	assert(u == 2)
}
