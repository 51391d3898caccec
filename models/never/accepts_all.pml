/* An accepting loop that lets everything pass is as good as the end of the claim. */
byte x;

active proctype P()
{
	x = 1;
	x = 2
}

never loop {
	do
	:: x == 1 -> goto accept_all
	:: else
	od;
accept_all:
	do
	:: skip
	od
}

never loop_unreached {
	do
	:: x == 3 -> goto accept_all
	:: else
	od;
accept_all:
	do
	:: true
	od
}

never two_guards {
	do
	:: x == 2 -> break
	:: x != 2
	od;
accept_either:
	do
	:: x == 2
	:: else
	od
}

never in_turns {
	do
	:: x == 1 -> goto accept_odd
	:: true
	od;
accept_odd:
	if
	:: x < 2 -> goto even
	:: x >= 2 -> goto accept_odd
	fi;
even:
	skip;
	goto accept_odd
}

never end_of_skip {
	do
	:: x == 2 -> break
	:: true
	od;
accept_all: skip
}
