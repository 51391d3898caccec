/* Conditions that hold in every state, and one that does not. */
byte x;

active proctype Up()
{
	do
	:: x < 3 -> x++
	:: x == 3 -> x = 0
	od
}

ltl bounded { [] (x <= 3) }
ltl too_tight { [] (x < 3) }
ltl always_true { [] true }
ltl by_negation { ! <> (x > 3) }
ltl by_until { ! (true U (x == 3)) }
