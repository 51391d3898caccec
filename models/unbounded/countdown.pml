/* The smallest program whose end needs a ranking: x is any number that is not negative. */
int n;	/*@ parameter n >= 0 */
int x;	/*@ unbounded x */

active proctype Count()
{
	x = n;
	do
	:: x > 0 -> x--
	:: else -> break
	od;
	assert(x == 0);
Done:	skip
}

ltl stops { <> Count@Done }
