/* A claim that cannot move is over, and nothing is wrong. */
byte x;

active proctype P()
{
	x = 1;
	x = 2;
	x = 3
}

never too_late { x == 1; x == 2 }
never in_step { x == 0; x == 1; x == 2; x == 3 }
never out_of_step { x == 0; x == 1; x == 1 }
never stuck_in_atomic { do :: atomic { x == 2 -> x == 3 -> assert(false) } :: else od }
