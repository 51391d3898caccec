/* Formulas with strong operators that are safety formulas all the same. */
byte x;

active proctype P()
{
	do
	:: x < 2 -> x++
	:: x == 2 -> break
	od
}

ltl weak_by_hand { [] (x == 0) || ((x == 0) U (x == 1)) }
ltl weak_by_hand_wrong { [] (x == 0) || ((x == 0) U (x == 2)) }
ltl swallowed { [] (x < 3) && <> (x < 3) }
ltl excluded_middle { <> (x == 2) || [] ! (x == 2) }
ltl absurd { <> (x == 2) && [] ! (x == 2) }
ltl until_true { (x == 0) U true }
