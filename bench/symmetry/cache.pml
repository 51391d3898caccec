/*
 * Snooping caches with the states modified, shared and invalid: N caches, one line of memory, one
 * bus. A cache asks for a copy by a message; the bus serves one request at a time. Every cache
 * watches the bus: for a shared copy the owner gives up its ownership, for a modified copy every
 * other holder drops its copy, and acknowledges. Shared copies may be dropped without a word.
 *
 * Property: there is at most one owner, and nobody else has a copy then.
 *
 * BROKEN: a cache that waits for the bus itself does not look at it.
 */

#ifndef N
#define N 4
#endif
#define NOBODY 255

mtype = { invalid, shared, modified };

chan request = [N] of { byte, bool };  /* who asks, and whether for a modified copy */
byte served = NOBODY;                  /* whose request is on the bus */
bool exclusive;                        /* what it is for */
byte copies, owners;                   /* how many have a copy, a modified one */
mtype line[N] = invalid;

inline watch()
{
	if
	:: exclusive -> owners = owners - (line[me] == modified); copies--; line[me] = invalid
	:: else -> owners = owners - (line[me] == modified); line[me] = shared
	fi
}

#define concerned (served != NOBODY && served != me && \
	(line[me] == modified || line[me] == shared && exclusive))

proctype Cache(byte me)
{
	bool wanted;

end:
	do
	:: concerned -> atomic { concerned -> watch() }
	:: atomic { line[me] == shared && served == NOBODY -> line[me] = invalid; copies-- }
	:: line[me] != modified ->
		if
		:: wanted = true
		:: line[me] == invalid -> wanted = false
		fi;
		request!me, wanted;
		do
#ifndef BROKEN
		:: atomic { concerned -> watch() }
#endif
		:: atomic {
			served == me && (exclusive -> copies == (line[me] == shared) : owners == 0) ->
			copies = copies + (line[me] == invalid);
			line[me] = (exclusive -> modified : shared);
			owners = owners + exclusive;
			assert(owners <= 1 && (owners == 0 || copies == 1));
			served = NOBODY; exclusive = false
		}
		   break
		od;
		wanted = false
	od
}

active proctype Bus()
{
	byte who;
	bool what;

end:
	do
	:: request?who, what;
	   atomic { served == NOBODY -> served = who; exclusive = what; who = NOBODY; what = false }
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) { run Cache(i) }
	}
}
