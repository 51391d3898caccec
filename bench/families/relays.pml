/* A pipeline of N links, each with the alternating-bit protocol over channels that lose messages;
   one process receives on a link and sends on the next, and does not answer meanwhile. Nothing is lost, duplicated or reordered between the
   ends. The protocol treats all messages alike, so that it is enough to mark two of them (Wolper
   1986): the source sends white* red white* blue white*; red and blue arrive once, in this order.

   -DBROKEN: the relay in the middle does not look at the bit of what it receives. */
#ifndef N
#define N 2
#endif

mtype = { white, red, blue };
chan data[N] = [1] of { mtype, bit };
chan answer[N] = [1] of { bit };

/* Sends a message on a link again and again, until it is acknowledged. */
inline transmit(link, message, parity) {
  do
  :: data[link]!message, parity
  :: answer[link]?eval(parity) -> break
  :: answer[link]?eval(1 - parity)
  :: answer[link]?_ /* lost */
  od;
  parity = 1 - parity
}

/* Waits for the next message on a link; one that has come before is acknowledged again. */
inline obtain(link, message, parity) {
  do
  :: data[link]?message, eval(parity) -> answer[link]!parity; break
  :: data[link]?_, eval(1 - parity) -> answer[link]!1 - parity
  :: data[link]?_, _ /* lost */
  od;
  parity = 1 - parity
}

active proctype Source() {
  mtype next = red;
  bit parity;
end:
  do
  :: transmit(0, white, parity)
  :: next == red -> transmit(0, red, parity); next = blue
  :: next == blue -> transmit(0, blue, parity); next = white
  od
}

proctype Relay(short me) {
  mtype message;
  bit expected, parity;
end:
  do
  ::
#ifdef BROKEN
     if
     :: me == N / 2 -> data[me - 1]?message, expected; answer[me - 1]!expected
     :: else -> obtain(me - 1, message, expected)
     fi;
#else
     obtain(me - 1, message, expected);
#endif
     transmit(me, message, parity)
  od
}

active proctype Sink() {
  mtype message;
  mtype next = red;
  bit expected;
end:
  do
  :: obtain(N - 1, message, expected);
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
    for (i : 1 .. N - 1) { run Relay(i) }
  }
}
