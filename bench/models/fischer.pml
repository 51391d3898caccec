/* Fischer's lock with time in ticks. A write comes at most WRITE ticks after the test,
   a process waits more than WRITE ticks before it looks again. -DHASTY waits
   one tick less and lets two processes in. */
#ifndef N
#define N 4
#endif
#ifndef WRITE
#define WRITE 2
#endif
#ifdef HASTY
#define WAIT WRITE
#else
#define WAIT (WRITE+1)
#endif
#define OFF 255

byte lock;             /* 0: free, otherwise number + 1 */
byte clock[N] = OFF;   /* ticks since the last test or write */
bool writing[N];       /* must write before WRITE ticks are over */
byte inside;

active [N] proctype Process() {
  do
  :: atomic { lock == 0 -> clock[_pid] = 0; writing[_pid] = true }
     atomic { lock = _pid + 1; clock[_pid] = 0; writing[_pid] = false }
     atomic { clock[_pid] >= WAIT -> clock[_pid] = OFF }
     if
     :: lock == _pid + 1 ->
        inside++;
        assert(inside == 1);
        inside--;
        lock = 0
     :: lock != _pid + 1
     fi
  od
}

active proctype Time() {
  byte k;
  do
  :: d_step {
       k = 0;
       do
       :: k < N && !(writing[k] && clock[k] == WRITE) -> k++
       :: else -> break
       od;
       if
       :: k == N ->
          k = 0;
          do
          :: k < N ->
             if
             :: clock[k] < WAIT -> clock[k]++
             :: else
             fi;
             k++
          :: else -> break
          od
       :: else
       fi;
       k = 0
     }
  od
}
