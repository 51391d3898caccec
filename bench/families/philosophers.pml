/* N philosophers round a table. A fork is a channel with one place; the last philosopher is
   left-handed, so that they never wait for each other in a circle. Two neighbours, in the middle
   of the row, never eat together.

   -DBROKEN: philosopher A puts the forks back while still eating. */
#ifndef N
#define N 4
#endif
#define A (N / 2)
#define B ((A + 1) % N)

chan fork[N] = [1] of { bit };
bool eats[N];

ltl apart { [] !(eats[A] && eats[B]) }

proctype Philosopher(short me; short first; short second) {
end:
  do
  :: fork[first]?1;
     fork[second]?1;
     eats[me] = true;
#ifdef BROKEN
     if
     :: me == A -> fork[second]!1; fork[first]!1; eats[me] = false; goto end
     :: else
     fi;
#endif
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
