/* Every arithmetic, bitwise and logical operator once, with the precedences of C. */
int r;
int five = 5;
int minus = -7;

active proctype Calc()
{
	r = 2 + 3 * 4 - 6 / 2;
	assert(r == 11);
	r = minus / 2;
	assert(r == -3);
	r = minus % 3;
	assert(r == -1);
	r = five % -3;
	assert(r == 2);
	r = ~five;
	assert(r == -6);
	r = five ^ 3;
	assert(r == 6);
	r = (five & 6) | 8;
	assert(r == 12);
	r = 1 << 4 >> 2;
	assert(r == 4);
	r = minus >> 1;
	assert(r == -4);
	r = !five + 1;
	assert(r == 1);
	r = -five - -five;
	assert(r == 0);
	r = 1 | 2 ^ 3 & 5;
	assert(r == 3);
	r = five > 3 == 1;
	assert(r == 1);
	r = (five == 5) + (minus <= -7) + (five != 5) + (five >= 6);
	assert(r == 2);
	assert(five && minus || 0);
	assert(!(five < 5) && 1)
}
