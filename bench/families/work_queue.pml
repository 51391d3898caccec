/*
 * A master puts jobs into a queue, N workers take them out, and report to a clerk what they have
 * done. The jobs are all alike, so that it is enough to mark one of them. A worker that is called
 * away before it has begun puts its job back.
 *
 * Property: the marked job is done at most once. It holds for every N: at any time one process or the
 * queue has it.
 *
 * BROKEN: the last worker may put a job back after it has reported it.
 */

#ifndef N
#define N 3
#endif

mtype = { plain, marked };

chan queue  = [2] of { mtype };
chan report = [0] of { mtype };

active proctype Master()
{
end:
	do
	:: queue!plain
	:: queue!marked -> break
	od;
end1:
	do
	:: queue!plain
	od
}

proctype Worker(short me)
{
	mtype job;
end:
	do
	:: queue?job;
	   if
	   :: queue!job             /* called away */
	   :: report!job;
#ifdef BROKEN
	      if
	      :: me == N - 1 -> queue!job
	      :: true
	      fi
#endif
	   fi
	od
}

active proctype Clerk()
{
	mtype job;
	bool seen;
end:
	do
	:: report?job;
	   if
	   :: job == marked -> assert(!seen); seen = true
	   :: else
	   fi
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
