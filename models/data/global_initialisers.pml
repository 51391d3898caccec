/* Global initialisers may use earlier globals, and the truncation of the earlier one is already visible.
   All variables here have types that spin initialises in the order of the text. */
#define BASE 250
byte a = BASE + 10;
byte b = a * 3;
short c = b - a * 4;
int d = c * 1000 + a;
int e = (d < 0 -> 11 : 22);

active proctype Check()
{
	assert(a == 4);
	assert(b == 12);
	assert(c == -4);
	assert(d == -3996);
	assert(e == 11);
	e = e + a
}
