/* The operators of temporal logic written as symbols; one of the formulas fails. */
byte x;
bool hot;

active proctype Heat()
{
	do
	:: x < 3 -> x++; hot = (x == 3)
	:: x == 3 -> x = 0; hot = false
	od
}

ltl s_box { [] (x <= 3) }
ltl s_dia { <> hot }
ltl s_until { !hot U (x == 3) }
ltl s_weak { !hot W (x == 3) }
ltl s_rel { (x == 3) V !hot }
ltl s_iff { [] (hot <-> (x == 3)) }
ltl s_neg { !([] <> hot) || <> (x == 2) }
