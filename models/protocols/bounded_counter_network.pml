/* Four counters of different periods run side by side with an observer, which multiplies their state spaces. */
byte c[4];
byte seen;

active [4] proctype Counter()
{
	do
	:: c[_pid] < _pid + 4 -> c[_pid]++
	:: c[_pid] == _pid + 4 -> c[_pid] = 0
	od
}

active proctype Observer()
{
	do
	:: c[0] == c[1] && c[2] == c[3] -> seen = 1 - seen
	od
}
