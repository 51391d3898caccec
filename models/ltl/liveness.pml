/* Liveness formulas of many shapes: none of them can fail on a finite run alone. */
bool a, b;

active proctype P()
{
	a = true;
	do
	:: a -> b = true; b = false
	:: a -> skip
	od
}

ltl eventually { <> a }
ltl eventually_b { <> b }
ltl often { [] <> b }
ltl at_last { <> [] a }
ltl answered { [] (a -> <> b) }
ltl until { (! b) U a }
ltl until_inside { [] (b -> (b U ! b)) }
ltl negated { ! [] b }
ltl mixed { [] (a || ! a) && <> a }
ltl one_of { [] ! b || <> (a && b) }
