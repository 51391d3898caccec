/* Peterson's lock for N processes, the filter: N-1 levels, one process is held back
   at each. The loop that looks at the others reads one variable a step. */
#ifndef N
#define N 4
#endif

byte level[N];
byte last[N];
byte inside;

active [N] proctype Process() {
  byte l, k;
  do
  :: l = 1;
     do
     :: l < N ->
        level[_pid] = l;
        last[l] = _pid;
        k = 0;
        do
        :: k < N -> (k == _pid || level[k] < l || last[l] != _pid); k++
        :: else -> break
        od;
        l++
     :: else -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     level[_pid] = 0
  od
}
