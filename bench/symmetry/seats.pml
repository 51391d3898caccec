/* N passengers share a cabin with two seats; seats are found by looking, and a passenger keeps the
   number of the seat. Passengers leave for good in the end.

   -DBROKEN: looking for a free seat and taking it are two steps. */
#ifndef N
#define N 5
#endif
#define NONE 99

byte seat[2] = NONE;
byte rides[N];

#ifdef BROKEN
#define TOGETHER
#else
#define TOGETHER atomic
#endif

proctype Passenger(byte me) {
  byte mine;
  do
  :: rides[me] < 2 ->
     if
     :: mine = 0
     :: mine = 1
     fi;
     TOGETHER {
       seat[mine] == NONE;
       seat[mine] = me
     }
     assert(seat[mine] == me);
     rides[me]++;
     assert(seat[mine] == me);
     seat[mine] = NONE
  :: rides[me] == 2 -> break
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) { run Passenger(i) }
  }
}
