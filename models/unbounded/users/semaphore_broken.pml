/* Broken: the semaphore is tested in one step, and taken in another. */
int N, K, idle, waiting, tested, inside, sem;
/*@ parameter N >= 1 && K >= 1; unbounded idle, waiting, tested, inside, sem */

active proctype processes()
{
	d_step { idle = N; sem = K };
	do
	:: d_step { idle > 0 -> idle--; waiting++ }
	:: d_step { waiting > 0 && sem > 0 -> waiting--; tested++ }
	:: d_step { tested > 0 -> tested--; sem--; inside++ }
	:: d_step { inside > 0 -> inside--; sem++; idle++ }
	od
}
ltl limit { [] (inside <= K) }
