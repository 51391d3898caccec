/* The same kind of model without options on the command line takes its default. */
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
