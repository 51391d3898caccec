/* The process that moved last. */
byte x;

active proctype A() { x = 1; x = 3 }
active proctype B() { x = 2 }

ltl by_b { [] (x == 2 -> _last == 1) }
ltl by_a { [] (x == 1 -> _last == 0) }
ltl start { _last == 0 }
