/* Any number of processes and a semaphore of K places. Processes are counted by what they do. */
int N, K, idle, waiting, inside, sem;
/*@ parameter N >= 1 && K >= 1; unbounded idle, waiting, inside, sem */

active proctype processes()
{
	d_step { idle = N; sem = K };
	do
	:: d_step { idle > 0 -> idle--; waiting++ }
	:: d_step { waiting > 0 && sem > 0 -> waiting--; sem--; inside++ }
	:: d_step { inside > 0 -> inside--; sem++; idle++ }
	od
}
ltl limit { [] (inside <= K) }
ltl counted { [] (idle >= 0 && waiting >= 0 && inside >= 0 && sem >= 0) }
