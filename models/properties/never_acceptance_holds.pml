/* Two processes alternate strictly, so the phase can never stay the same for ever. */
bit phase;
byte beat;

active proctype A()
{
	do
	:: phase == 0 -> beat = 1; phase = 1
	od
}

active proctype B()
{
	do
	:: phase == 1 -> beat = 2; phase = 0
	od
}

never {
	do
	:: phase == 0 -> goto accept_zero
	:: true
	od;
accept_zero:
	do
	:: phase == 0
	od
}
