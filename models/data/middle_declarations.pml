/* A declaration below the first statement is executed when control gets there, every time again.
   The variable k starts at 4 in every round although it was increased. */
byte rounds;
byte g = 1;

active proctype Loop()
{
	byte top = 2;
	rounds = 0;
	byte late = top + g;
	do
	:: rounds < 3 ->
		byte k = 4;
		k++;
		assert(k == 5);
		rounds++
	:: rounds >= 3 -> break
	od;
	assert(late == 3 || late == 4)
}

active proctype Other()
{
	g = 2
}
