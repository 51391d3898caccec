/* The states inside an atomic or a d_step are not looked at. */
byte x, y;

active proctype P()
{
	atomic { x = 1; y = 1; x = 2 };
	d_step { x = 3; y = 2; x = 4 };
	x = 5
}

ltl not_inside { [] (x != 1) }
ltl not_inside_d_step { [] (x != 3) }
ltl after { [] (x != 2) }
ltl together { [] (y == 0 || x >= 2) }
ltl later { [] (x != 5) }
