/* The forbidden pair occurs, but not at the beginning, and spin gives up the match at the first event that does not fit. */
chan c = [3] of { byte };

active proctype S()
{
	c ! 5;
	c ! 1;
	c ! 2
}

notrace {
	c ! 1; c ! 2
}
