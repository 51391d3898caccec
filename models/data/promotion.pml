/* Arithmetic on bytes happens with full width; only the store cuts.
   A comparison of the sum and a comparison of the stored sum therefore differ. */
byte a = 200;
byte b = 100;
byte c;
bit d = 1;
int wide;

active proctype Sum()
{
	assert(a + b == 300);
	c = a + b;
	assert(c == 44);
	wide = a * b;
	assert(wide == 20000);
	wide = (a + b > 255 -> a + b - 256 : a + b);
	assert(wide == c);
	assert(d + d == 2);
	assert(b - a == -100);
	c = (a + b) / 2;
	assert(c == 150)
}
