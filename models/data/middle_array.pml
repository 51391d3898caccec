/* An array declared below the first statement: the step sets only its first element, the others keep what they had. */
byte rounds;

active proctype P()
{
	do
	:: rounds < 3 ->
		byte a[2] = 5;
		assert(a[0] == 5 && a[1] == rounds);
		a[0]++;
		a[1]++;
		rounds++
	:: rounds == 3 -> break
	od
}
