/* A for loop over a range whose upper bound is a variable; afterwards the counter is one beyond. */
byte i, j;
byte top = 3;
byte sum;

active proctype Sum()
{
	for (i : 1 .. top) {
		for (j : i .. 3) {
			sum = sum + j
		}
	}
	assert(sum == 14);
	assert(i == 4)
}

active proctype Other()
{
	byte k;

	for (k : top .. 2) {
		assert(false)
	}
	assert(k == 3);
	for (k : 0 .. 2) {
		if
		:: k == 1 -> break
		:: else
		fi
	}
	assert(k == 1)
}
