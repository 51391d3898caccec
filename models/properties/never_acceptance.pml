/* The lamp can stay dark for ever because the choice is not fair, so the claim accepts. */
bool lamp;
byte n;

active proctype Toggle()
{
	do
	:: lamp = true
	:: lamp = false
	:: n = (n + 1) % 3
	od
}

never {
	do
	:: !lamp -> goto accept_dark
	:: true
	od;
accept_dark:
	do
	:: !lamp
	od
}
