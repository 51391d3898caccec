/* Formulas without temporal operators are about the initial state only. */
byte x = 4;

active proctype P()
{
	x = 5;
	x = 6
}

ltl now { x == 4 }
ltl not_now { x == 5 }
ltl both { x == 4 && ! (x == 6) }
ltl nonsense { false }
