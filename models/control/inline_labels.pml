/* A label and a jump that both come from an inline; each proctype uses it once. */
byte x;

inline climb(limit)
{
	skip;
up:	if
	:: x < limit -> x++; goto up
	:: x >= limit -> skip
	fi
}

active proctype A() { climb(3); x = 0 }
active proctype B() { climb(2) }
