/* A goto or a break as the guard of an option is always executable and counts as a step. */
byte n;

active [2] proctype Wander()
{
	do
	:: n < 3 -> n++
	:: break
	:: goto away
	od;
	n = n + 10;
away:
	assert(n <= 30)
}
