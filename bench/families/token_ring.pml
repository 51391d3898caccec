/* A token goes round a ring of N stations and gives the right to enter a critical section; links
   have one place. Meanwhile each station works for itself, and lets the token pass until it has
   something to do with it. Stations A and B, on opposite sides, are never both critical.

   -DBROKEN: station A hands the token on while it is still critical. */
#ifndef N
#define N 4
#endif
#define A (N / 2)
#define B 0

chan link[N] = [1] of { bit };
bool critical[N];

ltl exclusive { [] !(critical[A] && critical[B]) }

proctype Station(short me) {
  byte work;
end:
  do
  :: work < 3 -> work++
  :: link[me]?1 ->
     if
     :: work == 3 ->
        critical[me] = true;
        work = 0;
#ifdef BROKEN
        if
        :: me == A -> link[(me + 1) % N]!1; critical[me] = false; goto end
        :: else
        fi;
#endif
        critical[me] = false
     :: else
     fi;
     link[(me + 1) % N]!1
  od
}

init {
  short i;
  atomic {
    for (i : 0 .. N - 1) { run Station(i) }
    link[0]!1
  }
}
