/* N readers and two writers share a counter and a flag, which are tested and set in one step.
   Readers read together, a writer is alone: reader R does not read while writer 0 writes.

   -DBROKEN: reader R signs off while it still reads. */
#ifndef N
#define N 4
#endif
#define R (N / 2)

unsigned reading : 10;
bool writing;
bool reads[N];
bool writes[2];

ltl exclusive { [] !(reads[R] && writes[0]) }

proctype Reader(short me) {
end:
  do
  :: atomic { !writing -> reading++ }
     reads[me] = true;
#ifdef BROKEN
     if
     :: me == R -> reading--; reads[me] = false; goto end
     :: else
     fi;
#endif
     reads[me] = false;
     reading--
  od
}

proctype Writer(short me) {
end:
  do
  :: atomic { !writing && reading == 0 -> writing = true }
     writes[me] = true;
     writes[me] = false;
     writing = false
  od
}

init {
  short i;
  atomic {
    for (i : 0 .. N - 1) { run Reader(i) }
    run Writer(0);
    run Writer(1)
  }
}
