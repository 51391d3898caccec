/* The gate opens and shuts, or stays shut. P waits for it. The component before `out` starves P; inside of it A can go
   round with the gate shut, where P is never enabled: a violation under strong fairness too. Opening is tried first, so
   that a search sees the open gate before the cycle that avoids it. */
bool open, out;
active proctype A() { do :: open = !open :: !open -> skip od }
active proctype P() { open -> out = true }
ltl passes { <> out }
ltl shut { [] (<> out || []<> open) }
