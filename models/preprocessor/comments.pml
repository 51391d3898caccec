/* Comments of both kinds in awkward places. // this is still inside */
#define A 1 /* one */
#define B 2 // two
byte x; // x /* not opened
byte y; /* y // not a line comment */ byte z;

active proctype P()
{
	x = /* in the middle */ A;
	y = B + // end of line
	    x;
	printf("/* no comment */ // none either %d\n", y);
	z = x /**/ + /***/ y;
	assert(z == 4)
}
