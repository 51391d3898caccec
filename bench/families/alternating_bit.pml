/* A pipeline of N links, each a sender and a receiver with the alternating-bit protocol over channels
   that lose messages. What a link delivers the next one takes. Nothing is lost, duplicated or reordered between the
   ends. The protocol treats all messages alike, so that it is enough to mark two of them (Wolper
   1986): the source sends white* red white* blue white*; red and blue arrive once, in this order.

   -DBROKEN: the receiver in the middle does not look at the bit of what it receives. */
#ifndef N
#define N 2
#endif

mtype = { white, red, blue };
chan pipe[N + 1] = [0] of { mtype };
chan data[N] = [1] of { mtype, bit };
chan answer[N] = [1] of { bit };

#ifdef BROKEN
#define is_new(other, expected, me) (other == expected || me == N / 2)
#else
#define is_new(other, expected, me) (other == expected)
#endif

active proctype Source() {
end:
  do
  :: pipe[0]!white
  :: pipe[0]!red -> break
  od;
  do
  :: pipe[0]!white
  :: pipe[0]!blue -> break
  od;
end1:
  do
  :: pipe[0]!white
  od
}

proctype Sender(short me) {
  mtype message;
  bit parity, other;
end:
  do
  :: pipe[me]?message;
     do
     :: data[me]!message, parity
     :: answer[me]?other ->
        if
        :: other == parity -> break
        :: other != parity
        :: true /* lost */
        fi
     od;
     parity = 1 - parity
  od
}

proctype Receiver(short me) {
  mtype message;
  bit expected, other;
end:
  do
  :: data[me]?message, other ->
     if
     :: true -> goto end /* lost */
     :: is_new(other, expected, me) ->
        pipe[me + 1]!message;
        answer[me]!other;
        expected = 1 - other
     :: !is_new(other, expected, me) ->
        answer[me]!other
     fi
  od
}

active proctype Sink() {
  mtype message;
  mtype next = red;
end:
  do
  :: pipe[N]?message;
     assert(message == white || message == next);
     if
     :: message == red -> next = blue
     :: message == blue -> next = white
     :: else
     fi
  od
}

init {
  short i;
  atomic {
    for (i : 0 .. N - 1) {
      run Sender(i);
      run Receiver(i)
    }
  }
}
