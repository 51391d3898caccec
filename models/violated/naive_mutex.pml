/* Both test the flag of the other one before they raise their own. */
bool flag[2];
byte inside;

active [2] proctype User()
{
	do
	:: !flag[1 - _pid] ->
		flag[_pid] = true;
		inside++;
		assert(inside == 1);
		inside--;
		flag[_pid] = false
	od
}
