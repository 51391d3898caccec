/* Where an else is possible nothing times out. */
byte n;

active proctype P()
{
	do
	:: n == 1 -> n = 2
	:: n == 5 -> break
	:: else -> n++
	od
}

active proctype Q()
{
	timeout -> assert(n == 5)
}
