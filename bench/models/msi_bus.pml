/* Snooping caches, MSI: a bus process serialises requests, every cache looks at each
   of them by rendezvous, an owner writes back before others read. The data are
   numbers modulo VALUES; a read must see the last write. */
#ifndef N
#define N 3
#endif
#ifndef VALUES
#define VALUES 3
#endif
#ifndef LINES
#define LINES 1
#endif

mtype = { read, write, evict };
mtype = { invalid, shared, modified };
typedef Line { mtype state = invalid; byte value };
typedef Cache { Line line[LINES] };

chan request = [0] of { byte, mtype, byte };   /* who, what, which line */
chan grant[N] = [0] of { bool };
Cache cache[N];
byte memory[LINES];
byte truth[LINES];   /* what was written last */

active proctype Bus() {
  byte who, l, k;
  mtype what;
end:
  do
  :: request?who, what, l ->
     k = 0;
     do
     :: k < N && k != who && cache[k].line[l].state == modified ->
        atomic {
          memory[l] = cache[k].line[l].value;
          if
          :: what == read -> cache[k].line[l].state = shared
          :: else -> cache[k].line[l].state = invalid
          fi;
          k++
        }
     :: k < N && k != who && cache[k].line[l].state == shared ->
        if
        :: what == write -> cache[k].line[l].state = invalid
        :: else
        fi;
        k++
     :: k < N && (k == who || cache[k].line[l].state == invalid) -> k++
     :: k == N -> break
     od;
     grant[who]!true;
     grant[who]?_;   /* the cache has taken what it needs */
     k = 0
  od
}

active [N] proctype Cpu() {
  byte me, l;
  me = _pid - 1;
  do
  :: l = 0;
     do
     :: l + 1 < LINES -> l++
     :: break
     od;
     if
     :: cache[me].line[l].state != invalid ->
        atomic {
          if
          :: cache[me].line[l].state != invalid -> assert(cache[me].line[l].value == truth[l])
          :: else
          fi
        }
     :: cache[me].line[l].state == invalid ->
        request!me, read, l; grant[me]?_;
        cache[me].line[l].value = memory[l]; cache[me].line[l].state = shared;
        grant[me]!true
     :: cache[me].line[l].state != modified ->
        request!me, write, l; grant[me]?_;
        truth[l] = (truth[l] + 1) % VALUES;
        cache[me].line[l].value = truth[l]; cache[me].line[l].state = modified;
        grant[me]!true
     :: cache[me].line[l].state == modified ->
        atomic {
          if
          :: cache[me].line[l].state == modified ->
             truth[l] = (truth[l] + 1) % VALUES; cache[me].line[l].value = truth[l]
          :: else
          fi
        }
     :: cache[me].line[l].state == shared ->
        request!me, evict, l; grant[me]?_;
        if
        :: cache[me].line[l].state == shared -> cache[me].line[l].state = invalid
        :: else
        fi;
        grant[me]!true
     fi
  od
}
