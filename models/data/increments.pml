/* The postfix forms count up and down, and they wrap like a store of the sum. */
byte b = 254;
bit t;
unsigned u : 2;
byte a[2];

active proctype Step()
{
	do
	:: b != 1 -> b++; t++; u--; a[t]++
	:: b == 1 -> break
	od;
	assert(t == 1 && u == 1);
	assert(a[0] == 1 && a[1] == 2);
	a[0]--; a[0]--;
	assert(a[0] == 255)
}
