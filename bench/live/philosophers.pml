/* N philosophers round a table; the last one is left-handed. As long as anybody moves, somebody eats again and again:
   no philosopher takes infinitely many steps without eating.

   -DBROKEN: philosopher 0 puts the first fork back when the second one is taken, and tries again. */
#ifndef N
#define N 4
#endif

chan fork[N] = [1] of { bit };

proctype Philosopher(short me; short first; short second) {
end:
  do
  :: fork[first]?1;
#ifdef BROKEN
     if
     :: me == 0 && empty(fork[second]) -> fork[first]!1; goto end
     :: nempty(fork[second])
     fi;
#endif
     fork[second]?1;
progress:
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
