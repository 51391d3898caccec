/* The door stays locked up to and including the moment of the key. */
bool key, locked = true, lost;

active proctype Owner()
{
	atomic { key = true };
	locked = false;
	key = false;
	lost = true
}

ltl released { key V locked }
ltl released_late { lost V locked }
ltl negated { ! ((! key) U (! locked)) }
ltl opened_once { [] (! locked -> [] ! locked) }
ltl nested { (lost V (! lost)) || (key V locked) }
