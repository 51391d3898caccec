/* N philosophers, of whom at most N-1 may sit down at once because they need a ticket. */
bit fork[N];
chan tickets = [N] of { bit };

active [N] proctype Philosopher()
{
	do
	:: nfull(tickets) && len(tickets) < N - 1 -> 
	   atomic { len(tickets) < N - 1 -> tickets ! 1 };
	   atomic { !fork[_pid] -> fork[_pid] = 1 };
	   atomic { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = 1 };
	   fork[_pid] = 0;
	   fork[(_pid + 1) % N] = 0;
	   tickets ? 1
	od
}
