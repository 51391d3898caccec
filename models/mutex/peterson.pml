/* Mutual exclusion for two with flags and a turn, after Peterson. */
bool want[2];
bit turn;
byte inside;

active [2] proctype User()
{
	pid me = _pid;
	pid you = 1 - _pid;

	do
	:: want[me] = true;
	   turn = you;
	   !want[you] || turn == me;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   want[me] = false
	od
}
