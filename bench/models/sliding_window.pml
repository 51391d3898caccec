/* Sliding window with selective repeat over channels that lose messages.
   Messages are numbered modulo P; only the number modulo M travels. The receiver
   buffers what comes early. With M >= 2W nothing is confused; -DSHORT takes
   M = W+1, and an old message passes for a new one. */
#ifndef W
#define W 2
#endif
#ifndef CAP
#define CAP 2
#endif
#ifdef SHORT
#define M (W+1)
#else
#define M (2*W)
#endif
#define P (2*M)

chan forward = [CAP] of { byte, byte };   /* number modulo M, number modulo P */
chan back = [CAP] of { byte };            /* number modulo M */

active proctype Sender() {
  byte base, used, i;
  bool acked[M];
  do
  :: used < W -> forward!((base + used) % M), ((base + used) % P); used++
  :: used > 0 ->
     i = 0;
     do
     :: i + 1 < used -> i++
     :: break
     od;
     if
     :: !acked[(base + i) % M] -> forward!((base + i) % M), ((base + i) % P)
     :: else
     fi
  :: back?i ->
     d_step {
       if
       :: (i + M - base % M) % M < used -> acked[i] = true
       :: else
       fi;
       do
       :: used > 0 && acked[base % M] ->
          acked[base % M] = false; base = (base + 1) % P; used--
       :: else -> break
       od;
       i = 0
     }
  od
}

active proctype Receiver() {
  byte expected, seq, number;
  bool held[M];
  byte value[M];
  do
  :: forward?seq, number ->
     d_step {
       if
       :: (seq + M - expected % M) % M < W -> held[seq] = true; value[seq] = number
       :: else
       fi;
       number = 0
     }
     back!seq;
     d_step {
       do
       :: held[expected % M] ->
          assert(value[expected % M] == expected);
          held[expected % M] = false; value[expected % M] = 0;
          expected = (expected + 1) % P
       :: else -> break
       od;
       seq = 0
     }
  od
}

active proctype Loss() {
  do
  :: forward?_, _
  :: back?_
  od
}
