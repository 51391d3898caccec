/* A short counter beside an unbounded one: the short one wraps. */
short a; int b;
/*@ unbounded a, b */
active proctype P() { do :: d_step { a++; b++ } od }
ltl equal { [] (a <= b) }
