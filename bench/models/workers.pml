/* A master starts a worker for each job, LIMIT alive at a time; workers split a job,
   start a helper of their own for half of it and die when its result is in. Processes
   come and go, numbers are used again. */
#ifndef JOBS
#define JOBS 3
#endif
#ifndef LIMIT
#define LIMIT 3
#endif
#ifndef SIZE
#define SIZE 4
#endif

chan results = [LIMIT] of { byte, byte };
byte n_alive, sum;

proctype Worker(byte size; chan answer) {
  chan mine = [1] of { byte, byte };
  byte half, part;
  if
  :: size > 1 ->
     half = size / 2;
     if
     :: atomic { n_alive < LIMIT -> n_alive++; run Worker(half, mine) }
        size = size - half;
        mine?half, part
     :: part = half; size = size - half   /* do it all alone */
     fi
  :: else
  fi;
  do
  :: size > 0 -> part++; size--
  :: else -> break
  od;
  atomic { n_alive--; answer!1, part }
}

active proctype Master() {
  byte job, got, one, part;
  do
  :: atomic { job < JOBS && n_alive < LIMIT -> n_alive++; run Worker(SIZE, results); job++ }
  :: results?one, part -> sum = sum + part; got = got + one; part = 0
  :: got == JOBS -> break
  od;
  assert(sum == JOBS * SIZE)
}
