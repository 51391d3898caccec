/* Four philosophers all take the left fork first. */
#define N 4
bit fork[N];

active [N] proctype Philosopher()
{
	do
	:: atomic { !fork[_pid] -> fork[_pid] = 1 };
	   atomic { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = 1 };
	   fork[_pid] = 0;
	   fork[(_pid + 1) % N] = 0
	od
}
