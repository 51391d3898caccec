/* A suspended process does not take part in a handshake. */
chan h = [0] of { byte };
bool on;
byte x;

active proctype S()
{
	h ! 1;
	x = 1
}

active proctype R() provided (on)
{
	h ? x
}

active proctype Switch()
{
	assert(x == 0);
	on = true
}
