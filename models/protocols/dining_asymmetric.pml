/* Four philosophers, one of whom takes the forks in the other order, so that nobody starves by deadlock. */
#define N 4
bit fork[N];
byte eating;

active [N] proctype Philosopher()
{
	byte first = (_pid == 0 -> 1 : _pid);
	byte second = (_pid == 0 -> 0 : (_pid + 1) % N);

	do
	:: atomic { fork[first] == 0 -> fork[first] = 1 };
	   atomic { fork[second] == 0 -> fork[second] = 1 };
	   eating++;
	   assert(eating <= N / 2);
	   eating--;
	   fork[second] = 0;
	   fork[first] = 0
	od
}
