/* All arrays of four digits are sorted by exchanging neighbours, and the result is checked. */
#define N 4
byte a[N];

active proctype Sort()
{
	byte i, j, t;

	for (i : 0 .. N - 1) {
		select(t : 0 .. 3);
		a[i] = t
	}
	for (i : 0 .. N - 2) {
		j = 0;
		do
		:: j < N - 1 - i ->
			d_step {
				if
				:: a[j] > a[j + 1] -> t = a[j]; a[j] = a[j + 1]; a[j + 1] = t
				:: else
				fi;
				t = 0
			};
			j++
		:: j == N - 1 - i -> break
		od
	}
	for (i : 0 .. N - 2) {
		assert(a[i] <= a[i + 1])
	}
}
