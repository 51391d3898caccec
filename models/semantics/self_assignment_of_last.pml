/* The last mover is zero at first.
   It is updated before the next step. */
byte seen[3];

active [3] proctype P()
{
	seen[_pid] = _last;
	assert(seen[_pid] < 3);
	seen[_pid] = 0
}
