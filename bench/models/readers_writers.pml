/* Readers and writers with atomic test-and-set steps; waiting writers go first, but
   after TURNS readings in a row by one reader it steps back. A reader sees
   no half-written pair. */
#ifndef READERS
#define READERS 4
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef TURNS
#define TURNS 2
#endif
#ifndef VALUES
#define VALUES 3
#endif

byte n_reading, n_waiting;
bool writing;
byte left, right;   /* always equal outside a writing */

active [READERS] proctype Reader() {
  byte turns, seen;
  do
  :: turns < TURNS ->
     atomic { !writing && n_waiting == 0 -> n_reading++ }
     seen = left;
     assert(seen == right && !writing);
     atomic { n_reading--; turns++; seen = 0 }
  :: turns == TURNS -> turns = 0
  od
}

active [WRITERS] proctype Writer() {
  do
  :: atomic { n_waiting++ }
     atomic { !writing && n_reading == 0 -> n_waiting--; writing = true }
     left = (left + 1) % VALUES;
     right = (right + 1) % VALUES;
     assert(left == right && n_reading == 0);
     writing = false
  od
}
