/* A list that is shorter than the array: the last value is used for the rest. */
byte a[4] = { 1, 2 };

active proctype P()
{
	assert(a[0] == 1);
	assert(a[1] == 2);
	assert(a[2] == 2 && a[3] == 2);
	a[3] = a[0]
}
