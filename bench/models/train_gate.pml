/* N trains, TRACKS bridges with one track each; a controller stops trains while a
   bridge is taken and lets them go in the order of their arrival. */
#ifndef N
#define N 4
#endif
#ifndef TRACKS
#define TRACKS 1
#endif

mtype = { approach, leave };
chan signal = [0] of { mtype, byte, byte };   /* what, bridge, train */
chan go[N] = [0] of { bit };
byte on_bridge[TRACKS];

proctype Controller(byte bridge) {
  chan queue = [N] of { byte };
  byte train;
end:
  do
  :: signal?approach, eval(bridge), train ->
     if
     :: empty(queue) -> queue!train; go[train]!1
     :: nempty(queue) -> queue!train
     fi
  :: signal?leave, eval(bridge), train ->
     queue?eval(train);
     if
     :: queue?<train> -> go[train]!1
     :: empty(queue)
     fi
  od
}

proctype Train(byte me) {
  byte bridge, mood;
  do
  :: bridge = 0;
     do
     :: bridge + 1 < TRACKS -> bridge++
     :: break
     od;
     signal!approach, bridge, me;
     go[me]?_;
     on_bridge[bridge]++;
     assert(on_bridge[bridge] == 1);
     on_bridge[bridge]--;
     signal!leave, bridge, me
  :: mood = 1 - mood
  od
}

init {
  byte i;
  atomic {
    do
    :: i < TRACKS -> run Controller(i); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < N -> run Train(i); i++
    :: else -> break
    od;
    i = 0
  }
}
