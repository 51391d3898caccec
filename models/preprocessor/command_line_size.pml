/* The number of processes comes from the command line, and so does an option of the loop. */
#ifndef N
#define N 2
#endif
byte count;

active [N] proctype P()
{
	do
	:: count < N -> count++
#ifdef WITH_RESET
	:: count == N -> count = 0
#endif
	:: count >= N -> break
	od
}
