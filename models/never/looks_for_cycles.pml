/* Accept labels that ask for cycles, and one that stands on none. */
byte x;

active proctype P()
{
	do
	:: x < 2 -> x++
	:: x == 2 -> x = 0
	od
}

never stays {
	do
	:: true
	:: x == 2 -> break
	od;
accept_stay:
	do
	:: x == 2
	od
}

never comes_back {
again:
	do
	:: x != 2
	:: x == 2 -> break
	od;
accept_two:
	x == 2;
	goto again
}

never only_once {
	do
	:: x != 2
	:: x == 2 -> break
	od;
accept_once:
	x == 0;
	x == 1
}
