/* Broken: one place too many. */
int N, one, w, r, item[1];
/*@ parameter N >= 1; parameter one >= 0; unbounded w, r, item[] */

active proctype producer()
{
	do
	:: atomic { w - r <= N -> item[w] = 2 * w; w++ }
	od
}

active proctype consumer()
{
	int got;
	do
	:: atomic { r < w -> got = item[r]; assert(r != one || got == 2 * one); r++ }
	od
}
ltl room { [] (w - r <= N && r <= w) }
