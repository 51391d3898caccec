/* The greatest common divisor by subtractions. */
int A, B, x, y;
/*@ parameter A >= 1 && B >= 1; unbounded x, y */

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
