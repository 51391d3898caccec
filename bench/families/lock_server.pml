/* N clients work for themselves, and take turns in using something that a server lends. All
   messages are handed over by rendezvous. Clients A and B never hold the lock together.

   -DBROKEN: client A gives the lock back while it still uses what was lent. */
#ifndef N
#define N 4
#endif
#define A (N / 2)
#define B ((A + 1) % N)

mtype = { ask, done };
chan server = [0] of { mtype, short };
chan grant[N] = [0] of { bit };
bool holds[N];

ltl exclusive { [] !(holds[A] && holds[B]) }

proctype Client(short me) {
  byte work;
end:
  do
  :: work < 3 -> work++
  :: work == 3 ->
     server!ask(me);
     grant[me]?1;
     holds[me] = true;
     work = 0;
#ifdef BROKEN
     if
     :: me == A -> server!done(me); holds[me] = false; goto end
     :: else
     fi;
#endif
     holds[me] = false;
     server!done(me)
  od
}

active proctype Server() {
  short who;
end:
  do
  :: server?ask(who);
     grant[who]!1;
     server?done(eval(who))
  od
}

init {
  short i;
  atomic {
    for (i : 0 .. N - 1) { run Client(i) }
  }
}
