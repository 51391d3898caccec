/*
 * Two-phase commit of one transaction: a coordinator and N participants. The coordinator asks
 * everyone to prepare, collects the votes and sends the decision: commit if all voted yes, abort
 * if someone voted no or did not answer in time. A participant that votes no aborts at once; one
 * that votes yes is bound by the decision.
 *
 * Property: the first participant does not commit when the last one has aborted. It holds for every
 * N: a commit takes the yes of everyone, and after a yes only the decision counts.
 *
 * BROKEN: the last participant may lose patience after its yes and abort on its own.
 */

#ifndef N
#define N 3
#endif

mtype = { prepare, commit, abort };         /* to a participant */
mtype = { yes, no };                        /* to the coordinator */
mtype = { working, committed, aborted };

chan order[N] = [1] of { mtype };
chan vote[N]  = [1] of { mtype };

mtype outcome[N] = working;

proctype Participant(short me)
{
	order[me]?prepare;
	if
	:: vote[me]!yes ->
		if
		:: order[me]?commit -> outcome[me] = committed
		:: order[me]?abort  -> outcome[me] = aborted
#ifdef BROKEN
		:: me == N - 1      -> outcome[me] = aborted
#endif
		fi
	:: outcome[me] = aborted ->
		vote[me]!no;
		order[me]?abort
	fi
}

proctype Coordinator()
{
	short i;
	mtype decision = commit;

	for (i : 0 .. N - 1) {
		order[i]!prepare
	}
	for (i : 0 .. N - 1) {
		if
		:: vote[i]?yes
		:: vote[i]?no -> decision = abort
		:: decision = abort                 /* no answer in time */
		fi
	}
	for (i : 0 .. N - 1) {
		order[i]!decision
	}
}

init {
	short i;

	atomic {
		run Coordinator();
		for (i : 0 .. N - 1) {
			run Participant(i)
		}
	}
}

ltl atomic_commit { [] !(outcome[0] == committed && outcome[N - 1] == aborted) }
