/* The bounds of the choice are variables, so spin makes a loop of it, and another process moves one of them meanwhile. */
byte lo = 1;
byte hi = 3;
byte pick;

active proctype Choose()
{
	select(pick : lo .. hi);
	assert(pick >= 1 && pick <= 4)
}

active proctype Raise()
{
	hi = 4
}
