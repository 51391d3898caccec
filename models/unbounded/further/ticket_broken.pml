/* A ticket lock that lets the next process in one ticket too early. */
int next, served;	/*@ unbounded next, served */
byte inside;

active [2] proctype P()
{
	int mine;	/*@ unbounded mine */
again:	atomic { mine = next; next++ };
	(mine <= served + 1);
	inside++;
	assert(inside == 1);
	inside--;
	served++;
	goto again
}
