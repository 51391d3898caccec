/* The right side of && and || is evaluated only when needed, so the index beyond the end is never touched.
   The same holds for the untaken branch of a conditional expression. */
byte a[4] = 1;
byte n;

active proctype Walk()
{
	do
	:: n < 4 && a[n] == 1 -> n++
	:: n >= 4 || a[n] != 1 -> break
	od;
	n = (n < 4 -> a[n] : 77);
	assert(n == 77)
}
