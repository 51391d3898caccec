/*
 * N guards relieve one another in a row, again and again. A guard calls the next one, waits until it
 * is there, steps down, and hands over; the last one calls the first. Between two guards there are
 * two channels, which hold a message each.
 *
 * Property: the guards A and B, who are neighbours, are never on duty together. It holds for every N: a
 * guard steps down before it hands over, and only one has what is handed over.
 *
 * BROKEN: guard A hands over before it steps down.
 */

#ifndef N
#define N 3
#endif
#define A (N / 2)
#define B ((A + 1) % N)

mtype = { come, take };

chan call[N]  = [1] of { mtype };       /* to a guard */
chan ready[N] = [1] of { bit };         /* from the guard that was called */

bool duty[N];

proctype Guard(short me)
{
	short next = (me + 1) % N;

	if
	:: me == 0 -> goto On
	:: else
	fi;
end:
	call[me]?come;
	ready[me]!1;
	call[me]?take;
On:
	duty[me] = true;
	call[next]!come;
	ready[next]?1;
#ifdef BROKEN
	if
	:: me == A -> call[next]!take; duty[me] = false; goto end
	:: else
	fi;
#endif
	duty[me] = false;
	call[next]!take;
	goto end
}

init {
	short i;

	atomic {
		for (i : 0 .. N - 1) {
			run Guard(i)
		}
	}
}

ltl one_guard { [] !(duty[A] && duty[B]) }
