/* Messages left in a buffer at the end are no error. */
chan q = [3] of { byte };

active proctype S()
{
	q ! 1;
	q ! 2
}

active proctype R()
{
	q ? 1
}
