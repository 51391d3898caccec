/* Go-back-N: cumulative acknowledgements, everything outstanding is sent again when
   nothing else can happen (timeout). The medium may lose a message at any time, and
   BURST messages in a row at most. */
#ifndef W
#define W 3
#endif
#ifndef CAP
#define CAP 3
#endif
#ifndef BURST
#define BURST 2
#endif
#define M (W+1)
#define VALUES (2*M)

mtype = { msg, ack };
chan wire = [CAP] of { mtype, byte, byte };
chan link = [CAP] of { mtype, byte, byte };
chan reply = [CAP] of { mtype, byte };

active proctype Sender() {
  byte base, used, n;
  do
  :: used < W -> wire!msg, ((base + used) % M), ((base + used) % VALUES); used++
  :: reply?ack, n ->
     do   /* n is the number expected next by the receiver */
     :: used > 0 && base % M != n -> d_step { base = (base + 1) % VALUES; used-- }
     :: else -> break
     od
  :: timeout ->
     n = 0;
     do
     :: n < used -> wire!msg, ((base + n) % M), ((base + n) % VALUES); n++
     :: else -> break
     od
  od
}

active proctype Medium() {
  byte n, v, lost;
  do
  :: wire?msg, n, v ->
     if
     :: link!msg, n, v -> lost = 0
     :: lost < BURST -> lost++
     fi;
     n = 0; v = 0
  od
}

active proctype Receiver() {
  byte expected, n, v;
  do
  :: link?msg, n, v ->
     if
     :: n == expected % M ->
        assert(v == expected);
        expected = (expected + 1) % VALUES
     :: else
     fi;
     reply!ack, (expected % M)
  od
}
