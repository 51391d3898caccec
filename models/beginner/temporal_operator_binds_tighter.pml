byte x;
active proctype P() { do :: x < 1 -> x++ :: x > 0 -> x-- od }
ltl bound { [] x < 2 }
