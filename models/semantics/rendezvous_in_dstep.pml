/* A d_step may begin with a handshake receive; the rest follows in the same step. */
chan h = [0] of { byte };
byte x;

active proctype S()
{
	h ! 3;
	x++
}

active proctype R()
{
	byte v;

	d_step { h ? v; x = v; x = x + 10; v = 0 };
	assert(x >= 13)
}
