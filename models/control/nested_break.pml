/* A break leaves only the innermost loop. */
byte i, j;

active proctype Loops()
{
	do
	:: i < 3 ->
		j = 0;
		do
		:: j < 2 -> j++
		:: j == 2 -> break
		:: i == 2 && j == 1 -> goto both
		od;
		i++
	:: i == 3 -> break
	od;
	assert(i == 3 && j == 2);
both:
	i = 9
}
