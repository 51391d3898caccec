/* Claims of the form that spin makes of formulas: an assertion in an atomic. */
byte x;

active proctype P()
{
	do
	:: x < 3 -> x++
	:: x == 3 -> x = 0
	od
}

never reached {
T0_init:
	do
	:: atomic { (! (x < 3)) -> assert(!(! (x < 3))) }
	:: (1) -> goto T0_init
	od;
accept_all:
	skip
}

never not_reached {
T0_init:
	do
	:: atomic { (! (x <= 3)) -> assert(!(! (x <= 3))) }
	:: (1) -> goto T0_init
	od;
accept_all:
	skip
}

never until_form {
T0_init:
	do
	:: atomic { (x == 2) -> assert(!(x == 2)) }
	:: (x < 2) -> goto T0_init
	od;
accept_all:
	skip
}

never until_form_blocked {
T0_init:
	do
	:: atomic { (x == 3) -> assert(!(x == 3)) }
	:: (x < 2) -> goto T0_init
	od;
accept_all:
	skip
}
