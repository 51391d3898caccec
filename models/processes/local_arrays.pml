/* Every instance sorts its own small array by bubbling. */
byte ok;

active [2] proctype Sorter()
{
	byte a[3];
	byte i, t;

	a[0] = 3; a[1] = 2 - _pid; a[2] = 1;
	do
	:: i < 2 && a[i] > a[i + 1] ->
		t = a[i]; a[i] = a[i + 1]; a[i + 1] = t;
		i = 0
	:: i < 2 && a[i] <= a[i + 1] -> i++
	:: i == 2 -> break
	od;
	assert(a[0] <= a[1] && a[1] <= a[2]);
	ok++
}
