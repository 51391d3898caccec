/* One pass of exchanging neighbours is not enough to sort three numbers. */
byte a[3];

active proctype Sort()
{
	byte i, t;

	for (i in a) {
		select(t : 1 .. 3);
		a[i] = t
	}
	for (i : 0 .. 1) {
		if
		:: a[i] > a[i + 1] -> t = a[i]; a[i] = a[i + 1]; a[i + 1] = t
		:: else
		fi
	}
	assert(a[0] <= a[1] && a[1] <= a[2])
}
