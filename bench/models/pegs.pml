/* Peg solitaire on a board of ROWS by COLS with one free place at the start: a peg
   jumps over its neighbour, which is taken away. The end of the game is a valid end. */
#ifndef ROWS
#define ROWS 4
#endif
#ifndef COLS
#define COLS 5
#endif
#define SIZE (ROWS*COLS)

bool peg[SIZE];
byte n_pegs;

inline jump(over, to) {
  peg[i] = false; peg[over] = false; peg[to] = true; n_pegs--
}

active proctype Player() {
  byte i;
  d_step {
    do
    :: i < SIZE -> peg[i] = (i != 1); i++
    :: else -> break
    od;
    n_pegs = SIZE - 1; i = 0
  }
end:
  do
  :: atomic {
       n_pegs > 1 ->
       do
       :: i < SIZE - 1 -> i++
       :: break
       od;
       if
       :: i % COLS >= 2 && peg[i] && peg[i-1] && !peg[i-2] -> jump(i - 1, i - 2)
       :: i % COLS < COLS - 2 && peg[i] && peg[i+1] && !peg[i+2] -> jump(i + 1, i + 2)
       :: i >= 2*COLS && peg[i] && peg[i-COLS] && !peg[i-2*COLS] -> jump(i - COLS, i - 2*COLS)
       :: i < SIZE - 2*COLS && peg[i] && peg[i+COLS] && !peg[i+2*COLS] -> jump(i + COLS, i + 2*COLS)
       :: else
       fi;
       i = 0;
       assert(n_pegs >= 1)
     }
  od
}
