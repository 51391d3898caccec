/* A local may have the name of a global that is declared only further down in the text. */
byte g;

active proctype P()
{
	byte x = 7;

	x++;
	g = x
}

byte x = 4;

active proctype Q()
{
	x = x + 1;
	assert(x == 5)
}
