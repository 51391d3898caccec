/* Sender and receiver are both inside an atomic: with the handshake the sender stops being atomic and the receiver goes on. */
chan h = [0] of { byte };
byte order;

active proctype S()
{
	atomic {
		h ! 1;
		order = order * 2 + 1;
		order = order * 3
	}
}

active proctype R()
{
	byte v;

	atomic {
		h ? v;
		assert(order <= 1);
		order = order + 10;
		order = order + 1
	}
}

active proctype Third()
{
	order = 1
}
