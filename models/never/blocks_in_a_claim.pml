/* All statements of an atomic or d_step in a claim look at the same state. */
byte x;

active proctype P()
{
	x = 1;
	x = 2;
	x = 3
}

never same_state { do :: atomic { x == 1 -> x == 1 -> break } :: else od }
never other_state { do :: atomic { x == 1 -> x == 2 -> break } :: true od }
never deterministic { do :: d_step { x == 2 -> assert(x != 2) } :: else od }
never deterministic_holds { do :: d_step { x == 2 -> assert(x == 2) } :: else od }
never choice { do :: atomic { if :: x == 3 -> assert(x < 3) :: x < 3 fi } od }
never plain_assert { do :: assert(x < 3) od }
never plain_assert_holds { do :: assert(x < 4) od }
