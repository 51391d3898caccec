/* Broken: it leaves the floor that is wanted, and comes back to it, for ever. */
int N, at, want;
bool open;
/*@ parameter N >= 1; unbounded at, want */

active proctype elevator()
{
	at = 1;
	do
	:: select(want : 1 .. N);
M:		do
		:: at <= want -> at++
		:: at > want -> at--
		:: else -> break
		od;
O:		open = true;
		assert(at == want);
		open = false
	od
}
ltl within { [] (0 <= at && at <= N) }
ltl arrives { [] (elevator@M -> <> elevator@O) }
