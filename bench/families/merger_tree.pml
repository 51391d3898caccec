/*
 * N sources send messages to a sink through a binary tree of mergers: a merger takes a message from
 * either side and passes it on. The nodes have the numbers of a heap, the sources are its leaves.
 * The first source sends ping and pong in turns, the others send noise.
 *
 * Property: ping and pong arrive in turns. It holds for every N: there is one way from the first
 * source to the sink, and a merger keeps the order.
 *
 * BROKEN: the merger above the first source may pass a message on twice.
 */

#ifndef N
#define N 3
#endif

mtype = { ping, pong, noise };

chan up[2 * N] = [0] of { mtype };      /* from a node to the one above */

proctype Source(short me)
{
end:
	do
	:: me == N -> up[me]!ping; up[me]!pong
	:: me != N -> up[me]!noise
	od
}

proctype Merger(short me)
{
	mtype message;
end:
	do
	:: if
	   :: up[2 * me]?message
	   :: up[2 * me + 1]?message
	   fi;
	   up[me]!message;
#ifdef BROKEN
	   if
	   :: me == N / 2 -> up[me]!message
	   :: true
	   fi
#endif
	od
}

active proctype Sink()
{
	mtype message;
	mtype next = ping;
end:
	do
	:: up[1]?message;
	   assert(message == noise || message == next);
	   if
	   :: message == ping -> next = pong
	   :: message == pong -> next = ping
	   :: else
	   fi
	od
}

init {
	short i;

	atomic {
		for (i : 1 .. N - 1) {
			run Merger(i)
		}
		for (i : N .. 2 * N - 1) {
			run Source(i)
		}
	}
}
