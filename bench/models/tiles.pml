/* Sliding tiles on a board of ROWS by COLS. One process, one array, each state a
   permutation: does not decompose. -DSOLVE claims that the two first tiles cannot
   change places beside an otherwise ordered last row (they can). */
#ifndef ROWS
#define ROWS 2
#endif
#ifndef COLS
#define COLS 5
#endif
#define SIZE (ROWS*COLS)

byte cell[SIZE];   /* 0 is the gap */

inline swap(to) {
  cell[gap] = cell[to]; cell[to] = 0; gap = to
}

active proctype Player() {
  byte gap;
  d_step {
    do
    :: gap < SIZE -> cell[gap] = gap; gap++
    :: else -> break
    od;
    gap = 0
  }
  do
  :: d_step { gap % COLS > 0 -> swap(gap - 1) }
  :: d_step { gap % COLS < COLS - 1 -> swap(gap + 1) }
  :: d_step { gap >= COLS -> swap(gap - COLS) }
  :: d_step { gap < SIZE - COLS -> swap(gap + COLS) }
#ifdef SOLVE
  :: d_step {
       cell[0] == 0 && cell[1] == 2 && cell[2] == 1 && cell[SIZE - 1] == SIZE - 1 -> assert(false)
     }
#endif
  od
}
