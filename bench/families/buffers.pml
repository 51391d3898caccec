/* A chain of N one-place buffers between a source, which sends colours as it likes, and a sink.
   Nothing comes out that did not go in: no colour arrives before it was sent. Buffers treat all
   colours alike, so that it is enough to watch one of them.

   -DBROKEN: the buffer in the middle turns green into red. */
#ifndef N
#define N 4
#endif

mtype = { red, green, blue };
chan link[N + 1] = [0] of { mtype };
bool went_in, came_out;

ltl genuine { [] (came_out -> went_in) }

active proctype Source() {
end:
  do
  :: went_in = true; link[0]!red
  :: link[0]!green
  :: link[0]!blue
  od
}

proctype Buffer(short me) {
  mtype colour;
end:
  do
  :: link[me]?colour;
#ifdef BROKEN
     if
     :: me == N / 2 && colour == green -> colour = red
     :: else
     fi;
#endif
     link[me + 1]!colour
  od
}

active proctype Sink() {
end:
  do
  :: link[N]?red; came_out = true
  :: link[N]?green
  :: link[N]?blue
  od
}

init {
  short i;
  atomic {
    for (i : 0 .. N - 1) { run Buffer(i) }
  }
}
