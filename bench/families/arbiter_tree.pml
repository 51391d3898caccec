/*
 * A tree of arbiters. N clients (the leaves) share one resource. Each cell of the binary tree
 * takes the request of one child at a time, passes it up, and hands the grant down to that child
 * when it comes; the root grants what it is asked for. The release goes up the same way.
 *
 * Wires are numbered like a heap: the cells own wires 1 .. N-1 (1 is the root), the clients
 * wires N .. 2N-1, and wire w leads up to cell w/2.
 *
 * Property: the first and the last client never both have the resource. It holds for every N:
 * every cell asks above before it grants, and serves no other child before it gets the release.
 *
 * BROKEN: the cell above the first client does not wait for the release of its child.
 */

#ifndef N
#define N 3
#endif

mtype = { request, grant, release };

chan up[2 * N]   = [0] of { mtype };
chan down[2 * N] = [0] of { mtype };

bool has[N];        /* which clients have the resource */

proctype Cell(short me)
{
	short child;

	do
	:: if
	   :: up[2 * me]?request     -> child = 2 * me
	   :: up[2 * me + 1]?request -> child = 2 * me + 1
	   fi;
	   if
	   :: me > 1 -> up[me]!request; down[me]?grant
	   :: else                      /* the root asks nobody */
	   fi;
	   down[child]!grant;
#ifdef BROKEN
	   if
	   :: me == N / 2
	   :: else -> up[child]?release
	   fi;
#else
	   up[child]?release;
#endif
	   if
	   :: me > 1 -> up[me]!release
	   :: else
	   fi
	od
}

proctype Client(short me)
{
	do
	:: up[N + me]!request;
	   down[N + me]?grant;
	   has[me] = true;
	   has[me] = false;
	   up[N + me]!release
	od
}

init {
	short i;

	atomic {
		for (i : 1 .. N - 1) {
			run Cell(i)
		}
		for (i : 0 .. N - 1) {
			run Client(i)
		}
	}
}

ltl exclusive { [] !(has[0] && has[N - 1]) }
