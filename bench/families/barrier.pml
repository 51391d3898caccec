/*
 * N workers proceed in rounds and meet at a barrier after each. The barrier has a counter and a
 * sense, which the last one to arrive turns around; the others wait for that. All that happens at
 * the counter happens in one step.
 *
 * Property: the first and the last worker are never at work in different rounds. It holds for every
 * N: the sense turns only when all have arrived.
 *
 * BROKEN: the last worker does not wait.
 */

#ifndef N
#define N 3
#endif

short arrived;
bool sense;
bool odd[N];     /* the parity of the round */
bool works[N];

proctype Worker(short me)
{
end:
	do
	:: works[me] = true;
	   works[me] = false;
	   odd[me] = !odd[me];
	   atomic {
		arrived++;
		if
		:: arrived == N -> arrived = 0; sense = !sense
		:: else
		fi
	   }
#ifdef BROKEN
	   if
	   :: me == N - 1
	   :: me != N - 1 && sense == odd[me]
	   fi
#else
	   sense == odd[me]
#endif
	od
}

init {
	short i;

	atomic {
		for (i : 0 .. N - 1) {
			run Worker(i)
		}
	}
}

ltl together { [] !(works[0] && works[N - 1] && odd[0] != odd[N - 1]) }
