/* The two writes at the entrance are exchanged, which breaks the exclusion. */
bool want[2];
bit turn;
byte inside;

active [2] proctype User()
{
	do
	:: turn = 1 - _pid;
	   want[_pid] = true;
	   !want[1 - _pid] || turn == _pid;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   want[_pid] = false
	od
}
