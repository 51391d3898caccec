/* The system stops, and the last state is repeated for ever when formulas are judged. */
byte n;

active proctype Few()
{
	n = 1;
	n = 2;
	n = 3
}

ltl settles { <> [] (n == 3) }
ltl toggles { [] <> (n == 1) }
