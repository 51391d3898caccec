/* Each variable of a declaration in the middle is a step of its own. */
byte g;

active proctype P()
{
	g = 1;
	byte a = g + 1, b = g + 2, c;
	g = a + b + c
}

active proctype Q()
{
	g = 5
}
