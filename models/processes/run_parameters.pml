/* Processes started with different parameters work on different parts of an array. */
byte a[3];

proctype Work(byte from; byte step)
{
	byte i = from;

	do
	:: i < 3 -> a[i] = a[i] + 1; i = i + step
	:: i >= 3 -> break
	od
}

init {
	run Work(0, 2);
	run Work(1, 1);
	_nr_pr == 1;
	assert(a[0] == 1 && a[1] == 1 && a[2] == 2)
}
