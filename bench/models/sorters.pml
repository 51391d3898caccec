/* N numbers in a row, sorted by N-1 processes that exchange neighbours; every
   permutation is a possible start. Each step recounts the inversions inside a d_step:
   much computing for each transition. */
#ifndef N
#define N 7
#endif

byte row[N];
byte n_inversions;
bool started;

inline count() {
  i = 0; found = 0;
  do
  :: i < N ->
     k = i + 1;
     do
     :: k < N ->
        if
        :: row[i] > row[k] -> found++
        :: else
        fi;
        k++
     :: else -> break
     od;
     i++
  :: else -> break
  od;
  i = 0; k = 0
}

active proctype Dealer() {
  byte i, k, found;
  atomic {
    do
    :: i < N -> row[i] = i; i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < N - 1 ->   /* one of those not yet dealt */
       k = i;
       do
       :: k < N - 1 -> k++
       :: break
       od;
       found = row[k]; row[k] = row[i]; row[i] = found;
       i++
    :: else -> break
    od
  }
  d_step { count(); n_inversions = found; found = 0; started = true }
}

active [N - 1] proctype Exchanger() {
  byte me, i, k, found, old;
  me = _pid - 1;
  started;
  do
  :: d_step {
       row[me] > row[me + 1] ->
       old = row[me]; row[me] = row[me + 1]; row[me + 1] = old;
       old = n_inversions; count();
       assert(found < old);
       n_inversions = found; found = 0; old = 0
     }
  :: d_step { n_inversions == 0 -> assert(row[me] == me && row[me + 1] == me + 1) } break
  od
}
