/* Lamport's fast mutual exclusion (1987): two writes and two reads when nobody
   competes, otherwise a look at everybody's flag. Jumps as in the paper. */
#ifndef N
#define N 4
#endif

byte x, y;      /* 0: nobody, otherwise number + 1 */
bool flag[N];
byte inside;

active [N] proctype Process() {
  byte k;
start:
  flag[_pid] = true;
  x = _pid + 1;
  if
  :: y != 0 ->
     flag[_pid] = false;
     y == 0;
     goto start
  :: else
  fi;
  y = _pid + 1;
  if
  :: x != _pid + 1 ->
     flag[_pid] = false;
     k = 0;
     do
     :: k < N -> !flag[k]; k++
     :: else -> break
     od;
     k = 0;
     if
     :: y != _pid + 1 -> y == 0; goto start
     :: else
     fi
  :: else
  fi;
  inside++;
  assert(inside == 1);
  inside--;
  y = 0;
  flag[_pid] = false;
  goto start
}
