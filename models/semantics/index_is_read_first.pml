/* The index and the right-hand side are evaluated with the old values. */
byte a[4];
byte b[4];
byte i = 1;

active proctype P()
{
	a[i] = i + 1;
	i = a[i];
	assert(i == 2);
	b[a[1]] = i;
	a[b[i]] = a[1] + b[2];
	assert(a[2] == 4);
	i = i - a[1];
	assert(i == 0);
	a[i]--;
	assert(a[0] == 255)
}
