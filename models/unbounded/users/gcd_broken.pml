/* Broken: one of the numbers may be zero, which can be subtracted for ever. */
int A, B, x, y;
/*@ parameter A >= 0 && B >= 0; unbounded x, y */

active proctype gcd()
{
	x = A;
	y = B;
	do
	:: x > y -> x = x - y
	:: y > x -> y = y - x
	:: else -> break
	od;
	assert(x == y && x > 0 && x <= A && x <= B);
done:	skip
}
ltl ends { <> gcd@done }
