/* Leader election in a ring (Chang and Roberts 1979): every node sends its number
   around; a number is dropped by a larger node and wins when it comes home. The
   numbers are dealt in every possible way at the start. */
#ifndef N
#define N 5
#endif

mtype = { claim, leader };
chan ring[N] = [N] of { mtype, byte };
byte n_leaders;

proctype Node(byte place; byte me) {
  byte other, known;
  ring[(place + 1) % N]!claim, me;
  do
  :: ring[place]?claim, other ->
     if
     :: other > me -> ring[(place + 1) % N]!claim, other
     :: other < me
     :: other == me ->
        n_leaders++;
        assert(n_leaders == 1 && me == N);
        ring[(place + 1) % N]!leader, me
     fi
  :: ring[place]?leader, other ->
     known = other;
     if
     :: other != me -> ring[(place + 1) % N]!leader, other
     :: else
     fi;
     break
  od;
  assert(known == N)
}

init {
  byte i, k, number[N];
  atomic {
    do
    :: i < N -> number[i] = i + 1; i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < N ->   /* one of those not yet dealt */
       k = i;
       do
       :: k < N - 1 -> k++
       :: break
       od;
       run Node(i, number[k]);
       number[k] = number[i]; number[i] = 0;
       i++
    :: else -> break
    od;
    i = 0; k = 0
  }
}
