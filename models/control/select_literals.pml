/* A number is chosen out of a short literal range in one step. */
byte i;
byte seen;

active proctype Choose()
{
	select(i : 2 .. 5);
	assert(i >= 2 && i <= 5);
	seen = i
}
