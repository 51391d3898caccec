/* Four formulas over one counter, of which two hold. */
byte n = 1;

active proctype Saw()
{
	do
	:: n < 4 -> n++
	:: n == 4 -> n = 1
	od
}

ltl bounded { [] (n >= 1 && n <= 4) }
ltl returns { [] <> (n == 1) }
ltl sticks { <> [] (n > 2) }
ltl rises { (n < 3) U (n == 4) }
