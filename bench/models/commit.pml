/* Two-phase commit with N participants over buffered channels; a participant may
   refuse, or crash before it votes and come back later. All decide alike. */
#ifndef N
#define N 4
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

mtype = { prepare, yes, no, commit, abort };
chan to[N] = [1] of { mtype };
chan votes = [N] of { mtype, byte };
mtype decision[N];

active proctype Coordinator() {
  byte k, round;
  bool refused;
  mtype vote;
  do
  :: round < ROUNDS ->
     k = 0;
     do
     :: k < N -> decision[k] = 0; to[k]!prepare; k++
     :: else -> break
     od;
     k = 0; refused = false;
     do
     :: k < N -> votes?vote, _; refused = refused || vote == no; k++
     :: else -> break
     od;
     k = 0;
     do
     :: k < N ->
        if
        :: refused -> to[k]!abort
        :: else -> to[k]!commit
        fi;
        k++
     :: else -> break
     od;
     k = 0;
     do
     :: k < N ->
        decision[k] != 0;
        assert(decision[k] == (refused -> abort : commit));
        k++
     :: else -> break
     od;
     vote = 0; round++
  :: else -> break
  od
}

active [N] proctype Participant() {
  byte me;
  mtype d;
  me = _pid - 1;
end:
  do
  :: to[me]?prepare ->
     if
     :: votes!yes, me
     :: votes!no, me
     :: skip; skip; votes!no, me   /* crash and recovery */
     fi;
     to[me]?d;
     assert(d == commit || d == abort);
     atomic { decision[me] = d; d = 0 }
  od
}
