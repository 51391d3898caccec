/* A ticket lock: a process takes the next ticket and waits until it is served. */
int next, served;	/*@ unbounded next, served */
byte inside;

active [2] proctype P()
{
	int mine;	/*@ unbounded mine */
again:	atomic { mine = next; next++ };
	(mine <= served);
	inside++;
	assert(inside == 1);
	inside--;
	served++;
	goto again
}
