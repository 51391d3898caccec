/* A lease with a rank: an unbounded number of renewals would never end. */
int left; bool done;
/*@ parameter budget >= 0; unbounded left; just use, stop */
int budget;
active proctype P()
{
	left = budget;
	do
	:: left > 0 ->
use:	   left--
	:: else -> break
	od;
stop:	done = true
}
ltl ends { <> done }
