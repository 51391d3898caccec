/* In a state without steps the claim goes on by itself. */
byte x;

active proctype P()
{
	x = 1;
	x = 2;
	false
}

never waits_long {
	do
	:: x == 2 -> break
	:: else
	od;
	x == 2; x == 2; x == 2; x == 2; x == 2; x == 2; x == 2; x == 2; x == 2
}

never waits_for_more {
	do
	:: x == 2 -> break
	:: else
	od;
	x == 2; x == 2; x == 3
}

never turns_around {
	do
	:: x == 2 -> skip; x == 2 -> if :: x == 2 :: x == 3 -> break fi
	:: else
	od
}
