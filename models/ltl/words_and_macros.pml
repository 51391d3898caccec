/* Operators as words, macros as propositions, and an equivalence. */
#define full_load (load == 2)
#define LIMIT 2
byte load;
bool lamp;

active proctype Crane()
{
	do
	:: load < LIMIT -> atomic { load++; lamp = (load == LIMIT) }
	:: atomic { load > 0 -> load--; lamp = false }
	od
}

ltl lamp_tells { always (lamp equivalent full_load) }
ltl lamp_tells_wrong { always (lamp <-> load == 1) }
ltl words { always (full_load implies ! (load == 0)) }
ltl signs { [] (! full_load || lamp) && [] (load <= LIMIT) }
ltl weak { (load == 0) weakuntil (load == 1) }
ltl releases { lamp release (load < 3) }
