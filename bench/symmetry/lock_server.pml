/* N clients work for themselves and take turns in using something that a server lends. Asking is
   by a queue, lending by a channel to each client. Nobody uses it together with another.

   -DBROKEN: the server may forget to wait until it is given back. */
#ifndef N
#define N 5
#endif

chan ask = [2] of { byte };
chan done = [1] of { byte };
chan grant[N] = [1] of { bit };
byte inside;

active [N] proctype Client() {
  byte work;
end:
  do
  :: work < 2 -> work++
  :: work == 2 ->
     ask!_pid;
     grant[_pid]?1;
     inside++;
     assert(inside == 1);
     inside--;
     work = 0;
     done!_pid
  od
}

active proctype Server() {
  byte who;
end:
  do
  :: ask?who;
     grant[who]!1;
#ifdef BROKEN
     if
     :: done??eval(who)
     :: skip
     fi
#else
     done?eval(who)
#endif
  od
}
