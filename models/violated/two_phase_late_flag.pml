/* A participant raises its refusal flag only after it has voted, so the decision to abort can arrive before the flag is up. */
#define N 3
mtype = { prepare, yes, no, commit, abort };
chan to[N] = [1] of { mtype };
chan votes = [N] of { mtype };
mtype decision[N];
bool refused;

active [N] proctype Participant()
{
	to[_pid] ? prepare;
	if
	:: votes ! yes
	:: votes ! no; refused = true
	fi;
	if
	:: to[_pid] ? commit -> decision[_pid] = commit; assert(!refused)
	:: to[_pid] ? abort -> decision[_pid] = abort; assert(refused)
	fi
}

active proctype Coordinator()
{
	byte i, yeas;
	mtype v;

	for (i : 0 .. N - 1) { to[i] ! prepare }
	for (i : 0 .. N - 1) {
		votes ? v;
		yeas = yeas + (v == yes -> 1 : 0)
	}
	for (i : 0 .. N - 1) {
		if
		:: yeas == N -> to[i] ! commit
		:: else -> to[i] ! abort
		fi
	}
}
