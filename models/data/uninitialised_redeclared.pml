/* An inner declaration without an initialiser sets the variable to zero again on each pass. */
byte n;

active proctype Again()
{
	do
	:: n < 3 ->
		{
			byte fresh;
			assert(fresh == 0);
			fresh = n + 5
		};
		n++
	:: else -> break
	od
}
