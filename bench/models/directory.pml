/* Directory-based coherence over buffered channels: caches ask the home node for a
   shared or exclusive copy, the home recalls copies and waits for the answers.
   Messages are structures. At most one exclusive copy, never beside shared ones. */
#ifndef N
#define N 3
#endif

mtype = { get_shared, get_exclusive, recall, recalled, give_shared, give_exclusive };
mtype = { none, shared, exclusive };
typedef Message { mtype kind; byte from };

chan to_home = [N] of { Message };
chan to_cache[N] = [2] of { Message };
mtype copy[N] = none;

inline check() {
  d_step {
    i = 0; n_shared = 0; n_exclusive = 0;
    do
    :: i < N ->
       if
       :: copy[i] == shared -> n_shared++
       :: copy[i] == exclusive -> n_exclusive++
       :: else
       fi;
       i++
    :: else -> break
    od;
    assert(n_exclusive == 0 || (n_exclusive == 1 && n_shared == 0));
    i = 0; n_shared = 0; n_exclusive = 0
  }
}

active proctype Home() {
  Message m;
  bool holds[N];
  bool any_exclusive;
  byte who, k, waiting, i, n_shared, n_exclusive;
  mtype want;
end:
  do
  :: to_home?m ->
     want = m.kind; who = m.from;
     if
     :: want == get_exclusive || any_exclusive ->
        k = 0;
        do
        :: k < N ->
           if
           :: holds[k] && k != who ->
              m.kind = recall; m.from = N; to_cache[k]!m;
              holds[k] = false; waiting++
           :: else
           fi;
           k++
        :: else -> break
        od;
        do
        :: waiting > 0 -> to_home??recalled, m.from; waiting--
        :: else -> break
        od
     :: else
     fi;
     check();
     holds[who] = true;
     any_exclusive = (want == get_exclusive);
     m.kind = (any_exclusive -> give_exclusive : give_shared); m.from = N;
     to_cache[who]!m;
     d_step { m.kind = 0; m.from = 0; who = 0; k = 0; want = 0 }
  od
}

active [N] proctype Cache() {
  Message m;
  byte me;
  bool asked;
  me = _pid - 1;
end:
  do
  :: !asked && copy[me] == none -> m.kind = get_shared; m.from = me; to_home!m; asked = true
  :: !asked && copy[me] != exclusive -> m.kind = get_exclusive; m.from = me; to_home!m; asked = true
  :: to_cache[me]?m ->
     if
     :: m.kind == recall -> copy[me] = none; m.kind = recalled; m.from = me; to_home!m
     :: m.kind == give_shared -> copy[me] = shared; asked = false
     :: m.kind == give_exclusive -> copy[me] = exclusive; asked = false
     fi;
     d_step { m.kind = 0; m.from = 0 }
  od
}
