/* A number that falls by one and rises by two, for ever: its falling ends nothing. */
int x = 1; bool done;	/*@ unbounded x */
active proctype P() { do :: x > 0 -> x--; x = x + 2 :: else -> done = true; break od }
ltl ends { <> done }
