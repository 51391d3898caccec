/* N readers and two writers share a counter and a flag. Readers read together, a writer
   is alone. */
#ifndef N
#define N 4
#endif

unsigned reading : 10;
bool writing;

proctype Reader() {
end:
  do
  :: atomic { !writing -> reading++ }
     assert(!writing);
     reading--
  od
}

proctype Writer() {
end:
  do
  :: atomic { !writing && reading == 0 -> writing = true }
     assert(reading == 0);
     writing = false
  od
}

init {
  short i;
  atomic {
    for (i : 1 .. N) { run Reader() }
    run Writer();
    run Writer()
  }
}
