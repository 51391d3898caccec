/* Alternating bit protocol: LINES connections, each over its own pair of channels,
   with a medium that loses messages and repeats them if there is room. Independent
   lines multiply the states, as unrelated subsystems of a real model do. With CAP 3
   a repeated message can overtake another, and the protocol fails. */
#ifndef LINES
#define LINES 2
#endif
#ifndef CAP
#define CAP 1
#endif
#ifndef VALUES
#define VALUES 3
#endif

chan up[LINES] = [CAP] of { bit, byte };
chan down[LINES] = [CAP] of { bit };

proctype Sender(byte line) {
  bit b, a;
  byte value;
  do
  :: up[line]!b, value ->
     if
     :: down[line]?a ->
        if
        :: a == b -> b = 1 - b; value = (value + 1) % VALUES
        :: else
        fi
     :: skip   /* impatient: send again */
     fi
  :: down[line]?_   /* an old acknowledgement */
  od
}

proctype Receiver(byte line) {
  bit b, wanted;
  byte value, next;
  do
  :: up[line]?b, value ->
     if
     :: b == wanted ->
        assert(value == next);
        next = (next + 1) % VALUES; wanted = 1 - wanted
     :: else
     fi;
     down[line]!b
  od
}

proctype Medium(byte line) {
  bit b;
  byte value;
  do
  :: up[line]?_, _
  :: down[line]?_
  :: nfull(up[line]) && up[line]?[b, value] -> atomic { up[line]?<b, value>; up[line]!b, value }
  od
}

init {
  byte i;
  atomic {
    do
    :: i < LINES -> run Sender(i); run Receiver(i); run Medium(i); i++
    :: else -> break
    od
  }
}
