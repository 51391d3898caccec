/* Broken: a renewal each time. */
int left; bool done;
/*@ parameter budget >= 0; unbounded left; just use, stop */
int budget;
active proctype P()
{
	left = budget;
	do
	:: left > 0 ->
use:	   if :: left-- :: left++ fi
	:: else -> break
	od;
stop:	done = true
}
ltl ends { <> done }
