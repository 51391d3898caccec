/* The bakery in which both wait for a ticket that is not smaller: both may enter. */
int y1, y2;	/*@ unbounded y1, y2 */

active proctype P1()
{
NC:	skip;
T:	y1 = y2 + 1;
W:	(y2 == 0 || y1 >= y2);
C:	skip;
L:	y1 = 0;
	goto NC
}

active proctype P2()
{
NC:	skip;
T:	y2 = y1 + 1;
W:	(y1 == 0 || y2 < y1);
C:	skip;
L:	y2 = 0;
	goto NC
}

/* Leaving the non-critical section is the process's own choice; everything else is just. */
/*@ just T, W, C, L */

ltl mutex { [] !(P1@C && P2@C) }
ltl access1 { [] (P1@T -> <> P1@C) }
ltl access2 { [] (P2@T -> <> P2@C) }
