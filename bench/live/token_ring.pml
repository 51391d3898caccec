/* A token goes round a ring of N stations with links of one place. As long as anybody moves, the token comes round: the
   last station makes progress when it has it.

   -DBROKEN: station 0 may keep the token and look at it again and again. */
#ifndef N
#define N 4
#endif

chan link[N] = [1] of { bit };

proctype Station(short me) {
end:
  do
  :: link[me]?1;
     if
     :: me == N - 1 ->
progress:
        skip
     :: else
     fi;
#ifdef BROKEN
     if
     :: me == 0 -> link[me]!1; goto end
     :: true
     fi;
#endif
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
