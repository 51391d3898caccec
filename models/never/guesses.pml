/* A claim that has to guess: at one moment it begins to count three states in a row. */
byte x;

active proctype P()
{
	do
	:: x = 1
	:: x = 2; x = 0
	od
}

never three_ones {
	do
	:: true
	:: x == 1 -> break
	od;
	x == 1;
	x == 1
}

never three_twos {
	do
	:: true
	:: x == 2 -> break
	od;
	x == 2;
	x == 2
}

never two_then_one {
	do
	:: true
	:: x == 2 -> break
	od;
	do
	:: x != 1
	:: x == 1 -> break
	od
}

never either {
	if
	:: x == 0 -> x == 2; x == 1
	:: x == 0 -> x == 1; x == 1; x == 2
	:: x == 1
	fi
}
