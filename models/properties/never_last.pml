/* One of the two processes can be ignored for ever, which the claim observes with the last mover. */
byte a, b;

active proctype A()
{
	do
	:: a = 1 - a
	od
}

active proctype B()
{
	do
	:: b = 1 - b
	od
}

never {
accept:
	do
	:: _last != 1
	od
}
