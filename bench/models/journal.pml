/* WRITERS append to a journal with room for LENGTH entries, a follower copies it, a
   cleaner cuts the copied part. The vector is long (two tables of shorts), a step
   changes few of its bytes. */
#ifndef WRITERS
#define WRITERS 3
#endif
#ifndef LENGTH
#define LENGTH 200
#endif
#ifndef ENTRIES
#define ENTRIES 3
#endif

short journal[LENGTH];
short copy[LENGTH];
byte top, copied, cut;

active [WRITERS] proctype Writer() {
  byte n, place;
  do
  :: n < ENTRIES ->
     place = top;               /* reserve ... */
     if
     :: d_step { place == top -> top++ }
        journal[place] = 1000 * (_pid + 1) + n;   /* ... and fill */
        n++
     :: place != top            /* somebody was faster */
     fi;
     place = 0
  :: n == ENTRIES -> break
  od
}

active proctype Follower() {
  do
  :: copied < top && journal[copied] != 0 -> copy[copied] = journal[copied]; copied++
  :: copied == WRITERS * ENTRIES -> break
  od
}

active proctype Cleaner() {
  do
  :: cut < copied ->
     assert(copy[cut] == journal[cut] && journal[cut] >= 1000);
     cut++
  :: cut == WRITERS * ENTRIES -> break
  od
}
