/* A number that falls for ever: no ranking, because it becomes negative. */
int x; bool done;	/*@ unbounded x; rank x */
active proctype P() { do :: x-- :: x > 0 -> done = true od }
ltl ends { <> done }
