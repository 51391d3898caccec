/* The bakery whose ticket is read and written in two steps: both may have the same one. */
int y1, y2;	/*@ unbounded y1, y2 */

active proctype P1()
{
	int t;	/*@ unbounded P1:t */
again:	t = y2;
	y1 = t + 1;
	(y2 == 0 || y1 <= y2);
C:	skip;
	y1 = 0;
	goto again
}

active proctype P2()
{
	int t;	/*@ unbounded P2:t */
again:	t = y1;
	y2 = t + 1;
	(y1 == 0 || y2 <= y1);
C:	skip;
	y2 = 0;
	goto again
}

ltl mutex { [] !(P1@C && P2@C) }
