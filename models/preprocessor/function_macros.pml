/* Function-like macros are replaced as text, so missing parentheses matter. */
#define SQ(x) x * x
#define SQP(x) ((x) * (x))
#define MAX(a, b) (((a) > (b)) -> (a) : (b))
#define TWICE(m, y) m(y) + m(y)
int r;

active proctype P()
{
	r = SQ(1 + 2);
	assert(r == 5);
	r = SQP(1 + 2);
	assert(r == 9);
	r = MAX(SQP(2), MAX(1, 3));
	assert(r == 4);
	r = TWICE(SQP, 2);
	assert(r == 8)
}
