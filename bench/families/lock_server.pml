/* N clients work for themselves, and take turns in using something that a server lends.
   All messages are handed over by rendezvous. */
#ifndef N
#define N 4
#endif

mtype = { ask, done };
chan server = [0] of { mtype, short };
chan grant[N] = [0] of { bit };
short user = -1;

proctype Client(short me) {
  byte work;
end:
  do
  :: work < 3 -> work++
  :: work == 3 ->
     server!ask(me);
     grant[me]?1;
     user = me;
     assert(user == me);
     work = 0;
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
