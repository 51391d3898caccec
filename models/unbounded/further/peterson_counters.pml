/* Peterson's algorithm with a turn that only grows: who came last waits. */
int turn;	/*@ unbounded turn */
bool want[2];
byte inside;

active [2] proctype P()
{
	int mine;	/*@ unbounded mine */
again:	want[_pid] = true;
	atomic { turn++; mine = turn };
	(!want[1 - _pid] || turn != mine);
	inside++;
	assert(inside == 1);
	inside--;
	want[_pid] = false;
	goto again
}
