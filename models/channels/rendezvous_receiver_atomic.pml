/* The receiver is not atomic, so after the handshake nobody is, and a third process may come between. */
chan h = [0] of { byte };
byte x;

active proctype S()
{
	atomic {
		x = 1;
		h ! 1;
		x = 2;
		x = 3
	}
}

active proctype R()
{
	h ? _;
	x = 4
}

active proctype Third()
{
	if
	:: x == 1 -> x = 5
	:: timeout
	fi
}
