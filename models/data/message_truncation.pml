/* A message field cuts the value that is sent to its own type, and the variable of the receiver cuts again. */
chan q = [2] of { byte, short, bit };
chan w = [1] of { int };
byte x;
int y, z;

active proctype Pass()
{
	q ! 300, 65535, 6;
	q ? y, z, x;
	assert(y == 44 && z == -1 && x == 0);
	w ! 300;
	w ? x;
	assert(x == 44);
	q ! 1, 2, 3;
	assert(q ? [1, 2, 1])
}
