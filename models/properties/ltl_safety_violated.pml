/* A bound that is broken after four steps. */
byte n;

active proctype Up()
{
	do
	:: n < 10 -> n = n + 3
	:: n >= 10 -> break
	od
}

ltl low { [] (n < 10) }
