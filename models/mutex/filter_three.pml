/* The filter with two levels for three processes, a generalisation of Peterson. */
#define N 3
byte level[N];
byte last[N];
byte inside;

active [N] proctype User()
{
	byte l = 1;

	do
	:: l < N ->
		level[_pid] = l;
		last[l] = _pid;
		last[l] != _pid ||
		(level[(_pid + 1) % N] < l && level[(_pid + 2) % N] < l);
		l++
	:: l == N ->
		inside++;
		assert(inside == 1);
		inside--;
		level[_pid] = 0;
		l = 1
	od
}
