/* A token goes round a ring of N stations and gives the right to enter; links have one
   place. Each station works for itself meanwhile. */
#ifndef N
#define N 4
#endif

chan link[N] = [1] of { bit };
bool inside;

proctype Station(short me) {
  bool wants;
end:
  do
  :: !wants -> wants = true
  :: link[me]?1 ->
     if
     :: wants -> assert(!inside); inside = true; wants = false; inside = false
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
