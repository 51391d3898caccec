/* The form with in goes through the indices of an array. */
byte a[4] = 2;
int total;

active proctype Walk()
{
	byte k;

	for (k in a) {
		a[k] = a[k] + k;
		total = total + a[k]
	}
	assert(total == 14)
}
