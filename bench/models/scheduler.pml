/* Milner's cyclic scheduler: N tasks are started in turn, end in any order, and none
   starts again before its end. Loosely coupled, so it compresses well. */
#ifndef N
#define N 10
#endif

chan baton[N] = [0] of { bit };
bool busy[N];

proctype Cycler(byte me) {
  if
  :: me == 0
  :: else -> baton[me]?_
  fi;
end:
  do
  :: atomic { assert(!busy[me]); busy[me] = true }
     baton[(me + 1) % N]!1;
     if
     :: baton[me]?_ -> !busy[me]
     :: !busy[me] -> baton[me]?_
     fi
  od
}

proctype Task(byte me) {
  byte effort;
end:
  do
  :: busy[me] -> effort = 1; effort = 0; busy[me] = false
  od
}

init {
  byte i;
  atomic {
    do
    :: i < N -> run Cycler(i); run Task(i); i++
    :: else -> break
    od;
    i = 0
  }
}
