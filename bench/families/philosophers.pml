/* N philosophers round a table. A fork is a channel with one place; the last philosopher
   is left-handed. Neighbours never eat together. */
#ifndef N
#define N 4
#endif

chan fork[N] = [1] of { bit };
bool eats[N];

proctype Philosopher(short me; short first; short second) {
end:
  do
  :: fork[first]?1;
     fork[second]?1;
     eats[me] = true;
     assert(!eats[(me + 1) % N]);
     eats[me] = false;
     fork[second]!1;
     fork[first]!1
  od
}

init {
  short i;
  atomic {
    for (i : 0 .. N - 1) {
      fork[i]!1;
      if
      :: i < N - 1 -> run Philosopher(i, i, i + 1)
      :: else -> run Philosopher(i, 0, i)
      fi
    }
  }
}
