/* An underscore swallows a field, and may also be assigned. */
chan q = [2] of { byte, short, bool };
byte x = 9;

active proctype Skip()
{
	q ! 1, 200, true;
	q ! 2, 201, false;
	q ? x, _, _;
	assert(x == 1);
	q ? _, _, x;
	assert(x == 0);
	_ = 12;
	x = 3
}
