/* Any value but zero counts as true, negative ones too. */
short s = -4;
byte n;

active proctype P()
{
	do
	:: s -> s++
	:: !s -> break
	od;
	(n & 2) >> 1;
	-1;
	n = 8
}

active proctype Q()
{
	do
	:: n < 3 -> n++
	:: n == 3 -> break
	:: n > 3 -> break
	od
}
