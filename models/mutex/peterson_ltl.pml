/* The same algorithm with its two promises as formulas; both hold even without fairness. */
bool want[2];
bit turn;

active [2] proctype User()
{
	do
	:: want[_pid] = true;
try:	   turn = 1 - _pid;
	   !want[1 - _pid] || turn == _pid;
crit:	   want[_pid] = false
	od
}

ltl one_at_a_time { [] !(User[0]@crit && User[1]@crit) }
ltl served { [] (User[0]@try -> <> User[0]@crit) }
