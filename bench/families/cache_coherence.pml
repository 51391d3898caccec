/*
 * A directory protocol with the states modified, shared and invalid: N caches, one line of
 * memory. A cache asks the directory for a shared or a modified copy. For a shared copy the
 * directory first downgrades the owner, if there is one; for a modified copy it first has all
 * other copies invalidated and awaits the acknowledgements. Shared copies may be dropped without
 * a word, so the directory knows of at least the copies that there are. Data is left out.
 *
 * Property: while the first cache is modified, the last one is invalid. It holds for every N:
 * a modified copy is granted only when every other holder has acknowledged its invalidation, and
 * the next grant comes only after the owner's acknowledgement.
 *
 * BROKEN: the last cache acknowledges invalidations but keeps its copy.
 */

#ifndef N
#define N 3
#endif

#define NOBODY N

mtype = { invalid, shared, modified };
mtype = { get_shared, get_modified };                             /* to the directory */
mtype = { grant_shared, grant_modified, downgrade, invalidate };  /* to a cache */

chan request  = [1] of { mtype, short };
chan reply[N] = [1] of { mtype };
chan ack      = [1] of { short };

mtype line[N] = invalid;

/* Obey an invalidation. */
inline drop()
{
#ifdef BROKEN
	if
	:: me == N - 1
	:: else -> line[me] = invalid
	fi;
#else
	line[me] = invalid;
#endif
	ack!me
}

proctype Cache(short me)
{
Invalid:
	if
	:: request!get_shared(me)   -> goto Waiting
	:: request!get_modified(me) -> goto Waiting
	:: reply[me]?invalidate     -> drop(); goto Invalid
	fi;

Waiting:
	if
	:: reply[me]?grant_shared   -> line[me] = shared; goto Shared
	:: reply[me]?grant_modified -> line[me] = modified; goto Modified
	:: reply[me]?invalidate     -> drop(); goto Waiting
	fi;

Shared:
	if
	:: request!get_modified(me) -> goto Waiting
	:: reply[me]?invalidate     -> drop(); goto Invalid
	:: line[me] = invalid       -> goto Invalid       /* evicted */
	fi;

Modified:
	if
	:: reply[me]?downgrade      -> line[me] = shared; ack!me; goto Shared
	:: reply[me]?invalidate     -> drop(); goto Invalid
	fi
}

proctype Directory()
{
	bool holder[N];             /* may have a copy */
	short owner = NOBODY;       /* may have a modified copy */
	short who, i, pending;

	do
	:: request?get_shared(who) ->
		if
		:: owner != NOBODY ->
			reply[owner]!downgrade;
			ack?eval(owner);
			owner = NOBODY
		:: else
		fi;
		holder[who] = true;
		reply[who]!grant_shared

	:: request?get_modified(who) ->
		for (i : 0 .. N - 1) {
			if
			:: holder[i] && i != who ->
				reply[i]!invalidate;
				pending++
			:: else
			fi
		}
		do
		:: pending > 0 ->
			ack?i;
			holder[i] = false;
			pending--
		:: else -> break
		od;
		holder[who] = true;
		owner = who;
		reply[who]!grant_modified
	od
}

init {
	short i;

	atomic {
		run Directory();
		for (i : 0 .. N - 1) {
			run Cache(i)
		}
	}
}

ltl coherent { [] (line[0] == modified -> line[N - 1] == invalid) }
