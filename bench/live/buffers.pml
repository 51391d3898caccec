/* A chain of N one-place buffers between a source and a sink. If the source keeps sending, the sink keeps receiving:
   `went_in` changes with each message that is sent, `came_out` with each that is received. No run that ends violates
   this, because `went_in` does not change any more there.

   -DBROKEN: the buffer in the middle throws messages away. */
#ifndef N
#define N 4
#endif

chan link[N + 1] = [0] of { bit };
bool went_in, came_out;

ltl comes_out { ([]<> went_in && []<> !went_in) -> ([]<> came_out && []<> !came_out) }

active proctype Source() {
end:
  do
  :: link[0]!1; went_in = !went_in
  od
}

proctype Buffer(short me) {
  bit item;
end:
  do
  :: link[me]?item;
#ifdef BROKEN
     if
     :: me == N / 2 -> goto end
     :: else
     fi;
#endif
     link[me + 1]!item
  od
}

active proctype Sink() {
end:
  do
  :: link[N]?_; came_out = !came_out
  od
}

init {
  short i;
  atomic {
    for (i : 0 .. N - 1) { run Buffer(i) }
  }
}
