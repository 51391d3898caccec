/* Single-decree Paxos (Lamport): PROPOSERS with one ballot each, ACCEPTORS that answer
   in any order, messages that may stay unread. Shared boards stand for broadcast
   channels. No two different values are chosen. */
#ifndef PROPOSERS
#define PROPOSERS 2
#endif
#ifndef ACCEPTORS
#define ACCEPTORS 3
#endif
#define MAJORITY (ACCEPTORS/2+1)

typedef Promise { bool given; byte ballot; byte value };
typedef Board { bool asked; bool proposed; byte value; Promise promise[ACCEPTORS] };
Board board[PROPOSERS];      /* ballot b belongs to proposer b-1 */
byte n_accepted[PROPOSERS];
byte chosen;

active [PROPOSERS] proctype Proposer() {
  byte me, k, n, best, value;
  me = _pid;
  board[me].asked = true;
  do
  :: k < ACCEPTORS && board[me].promise[k].given ->
     d_step {
       n++;
       if
       :: board[me].promise[k].ballot > best ->
          best = board[me].promise[k].ballot; value = board[me].promise[k].value
       :: else
       fi;
       k++
     }
  :: k < ACCEPTORS -> k++   /* do not wait for this one */
  :: n >= MAJORITY -> break
  :: k == ACCEPTORS && n < MAJORITY -> goto give_up
  od;
  if
  :: best == 0 -> value = me + 1
  :: else
  fi;
  d_step { board[me].value = value; board[me].proposed = true }
give_up:
  skip;
  d_step { k = 0; n = 0; best = 0; value = 0 }
}

active [ACCEPTORS] proctype Acceptor() {
  byte me, promised, ballot, value, b;
  me = _pid - PROPOSERS;
  do
  :: b < PROPOSERS - 1 -> b++
  :: b > 0 -> b--
  :: d_step {
       board[b].asked && b + 1 > promised ->
       promised = b + 1;
       board[b].promise[me].ballot = ballot; board[b].promise[me].value = value;
       board[b].promise[me].given = true
     }
  :: d_step {
       board[b].proposed && b + 1 >= promised && ballot != b + 1 ->
       promised = b + 1; ballot = b + 1; value = board[b].value;
       n_accepted[b]++;
       if
       :: n_accepted[b] == MAJORITY ->
          assert(chosen == 0 || chosen == value);
          chosen = value
       :: else
       fi
     }
  od
}
