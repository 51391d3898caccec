byte x;
active proctype P() { x = 1 }
ltl p { G (x<10) }
