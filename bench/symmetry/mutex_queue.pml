/* A lock with a queue of those who wait: whoever releases it hands it over to the first. Processes
   are known by a variable that keeps their pid.

   -DBROKEN: a lock that is handed over looks free for a moment. */
#ifndef N
#define N 5
#endif
#define FREE 255

byte holder = FREE;
chan waiting = [N] of { byte };
byte inside;

active [N] proctype Process() {
  byte me = _pid;
  byte next;
end:
  do
  :: atomic {
       if
       :: holder == FREE -> holder = me
       :: else -> waiting!me
       fi
     }
     holder == me;
     inside++;
     assert(inside == 1);
     inside--;
     if
     :: nempty(waiting) ->
#ifdef BROKEN
        holder = FREE;
#endif
        waiting?next; holder = next
     :: atomic { empty(waiting) -> holder = FREE }
     fi
  od
}
