/* A condition of a formula divides by zero in one state: the formula fails there, for every engine or for none. */
byte n = 1;

active proctype P()
{
	n = 0;
	n = 2
}

ltl above_one { [] (6 / n > 1) }
