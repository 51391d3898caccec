/* A loop starts four processes which add up their numbers in any order. */
byte sum;

proctype Add(byte n)
{
	byte t;

	t = sum;
	sum = t + n
}

init {
	byte i;

	for (i : 1 .. 4) {
		run Add(i)
	}
	_nr_pr == 1;
	assert(sum >= 1 && sum <= 10)
}
