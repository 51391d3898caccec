/* Dining philosophers; forks are processes that are taken and put back by rendezvous.
   The last philosopher is left-handed; with -DGREEDY all are alike and may starve
   together. */
#ifndef N
#define N 6
#endif

chan take[N] = [0] of { byte };
chan put[N] = [0] of { byte };
byte meals;

proctype Fork(byte me) {
  byte who;
end:
  do
  :: take[me]?who -> put[me]?eval(who)
  od
}

proctype Philosopher(byte me; byte first; byte second) {
  do
  :: take[first]!me;
     take[second]!me;
     meals = (meals + 1) % 2;
     put[first]!me;
     put[second]!me
  od
}

init {
  byte i;
  atomic {
    do
    :: i < N -> run Fork(i); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < N - 1 -> run Philosopher(i, i, i + 1); i++
    :: else -> break
    od;
#ifdef GREEDY
    run Philosopher(N - 1, N - 1, 0);
#else
    run Philosopher(N - 1, 0, N - 1);
#endif
    i = 0
  }
}
