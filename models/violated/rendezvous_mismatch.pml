/* The receiver insists on a constant that the sender does not always send. */
chan h = [0] of { byte };

active proctype S()
{
	byte v;

	if
	:: v = 1
	:: v = 2
	fi;
	h ! v
}

active proctype R()
{
	h ? 1
}
