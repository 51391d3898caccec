/* A run that ends, or gets stuck, stays in its last state for ever. */
byte x;
bool stuck;

active proctype P()
{
	x = 1;
	if
	:: x = 2
	:: stuck = true; false; x = 3
	fi
}

ltl to_the_end { [] (x == 2 -> [] (x == 2)) }
ltl stuck_for_ever { [] (stuck -> (stuck W false)) }
ltl stuck_at_one { [] (stuck -> [] (x == 1)) }
ltl moves_on { [] (stuck -> ! (stuck W false)) }
ltl or_not { [] (x < 3) }
