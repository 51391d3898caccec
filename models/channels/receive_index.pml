/* The fields are stored from left to right, so an index read first is used for the element read second. */
chan q = [1] of { byte, byte };
byte i;
byte a[3];

active proctype Idx()
{
	q ! 2, 50;
	q ? i, a[i];
	assert(i == 2);
	q ! i, a[i];
	q ? eval(i), a[0];
	a[1] = a[2] + 1
}
