/* Broken: the byte wraps. */
byte a; int b;
/*@ unbounded a, b */
active proctype P() { do :: d_step { a++; b++ } od }
ltl equal { [] (a == b) }
