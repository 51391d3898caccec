/* Lamport's bakery: draw a number larger than all others, wait for the smaller ones.
   Numbers are bounded: who would draw more than MAX waits until the shop is empty. */
#ifndef N
#define N 3
#endif
#ifndef MAX
#define MAX 5
#endif

bool choosing[N];
byte ticket[N];
byte inside;

active [N] proctype Customer() {
  byte k, largest;
  do
  :: choosing[_pid] = true;
     largest = 0; k = 0;
     do
     :: k < N ->
        if
        :: ticket[k] > largest -> largest = ticket[k]
        :: else
        fi;
        k++
     :: else -> break
     od;
     if
     :: largest < MAX -> ticket[_pid] = largest + 1
     :: else -> choosing[_pid] = false; goto again
     fi;
     choosing[_pid] = false;
     k = 0;
     do
     :: k < N ->
        !choosing[k];
        (ticket[k] == 0 || ticket[k] > ticket[_pid] || (ticket[k] == ticket[_pid] && k >= _pid));
        k++
     :: else -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     ticket[_pid] = 0;
again: skip
  od
}
