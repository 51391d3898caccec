/*
 * Leader election on a unidirectional ring, after Chang and Roberts (1979). N stations have
 * distinct numbers. Any station may start by sending its number to the next one. A station
 * passes on numbers larger than its own and swallows smaller ones (it sends its own instead if it
 * has not done so yet); whoever gets its own number back is the leader and announces it.
 *
 * The numbers are not in order round the ring: N, 1, N-1, 2, N-2, ...
 *
 * Property: the first and the last station are never both leaders. It holds for every N: the
 * number of a leader has passed every other station, so it is the largest.
 *
 * BROKEN: the last station uses the number of the first one.
 */

#ifndef N
#define N 3
#endif

#define next(i) (((i) + 1) % N)

mtype = { candidate, elected };

chan link[N] = [1] of { mtype, short };    /* link[i] leads into station i */

bool leader[N];

proctype Station(short me)
{
	short number, seen;
	bool running;       /* has sent or passed on a number */

	number = (me % 2 -> (me + 1) / 2 : N - me / 2);
#ifdef BROKEN
	if
	:: me == N - 1 -> number = N
	:: else
	fi;
#endif
	do
	:: !running ->
		running = true;
		link[next(me)]!candidate(number)
	:: link[me]?candidate(seen) ->
		if
		:: seen > number ->
			running = true;
			link[next(me)]!candidate(seen)
		:: seen < number && !running ->
			running = true;
			link[next(me)]!candidate(number)
		:: seen < number && running         /* swallowed */
		:: seen == number ->
			leader[me] = true;
			link[next(me)]!elected(number)
		fi
	:: link[me]?elected(seen) ->
		if
		:: seen != number -> link[next(me)]!elected(seen)
		:: else                             /* it has been all the way round */
		fi;
		break
	od
}

init {
	short i;

	atomic {
		for (i : 0 .. N - 1) {
			run Station(i)
		}
	}
}

ltl one_leader { [] !(leader[0] && leader[N - 1]) }
