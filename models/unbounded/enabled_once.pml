/* A statement that is enabled at the start only: justice does not make it be taken. */
int x, y;	/*@ unbounded x, y; just W */
active proctype P() { do :: d_step { x++; y = y + 2 } od }
active proctype Q()
{
W:	x == y;
D:	skip
}
ltl served { <> Q@D }
