/* Two workers hand a turn to each other. A spectator looks at the turn now and then, and notes how often
   it has seen a change; nothing depends on it. */

bit turn;
bool busy[2];
unsigned seen : 2;

active [2] proctype Worker() {
end:
  do
  :: turn == _pid ->
     busy[_pid] = true;
     assert(!busy[1 - _pid]);
     busy[_pid] = false;
     turn = 1 - _pid
  od
}

active proctype Spectator() {
  bit last;
end:
  do
  :: turn != last -> last = 1 - last; seen++
  od
}
