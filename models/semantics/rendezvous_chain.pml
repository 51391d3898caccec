/* The control is handed from atomic to atomic by handshakes through a chain of three. */
chan a = [0] of { byte };
chan b = [0] of { byte };
byte steps;

active proctype One()
{
	atomic { steps = 1; a ! 1; steps = steps * 2 }
}

active proctype Two()
{
	byte v;

	atomic { a ? v; steps = steps + 3; b ! v; steps = steps * 2 }
}

active proctype Three()
{
	byte v;

	atomic { b ? v; steps = steps + 5; steps = steps + 5 }
}
