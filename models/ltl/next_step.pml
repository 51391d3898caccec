/* The next operator, which Debian's spin does not accept: the verdicts follow by hand
   from the only run x = 0, 1, 2, 3, (3 after the end of the process), 3, 3, ... */
byte x;

active proctype P()
{
	x = 1;
	x = 2;
	x = 3
}

ltl second { X (x == 1) }
ltl second_wrong { X (x == 2) }
ltl third { X X (x == 2) }
ltl grows { [] (x == 1 -> X (x == 2)) }
ltl grows_wrong { [] (x == 2 -> X (x == 2)) }
ltl stays { [] (x == 3 -> X (x == 3)) }
ltl stays_at_the_end { X X X X X X X X X (x == 3) }
ltl impossible { X (x == 1 && ! (x == 1)) }
ltl alternates { [] (x == 3 -> X (x == 2 || X (x == 2))) }
