/* The alternating bit protocol over lines that may lose messages. */
mtype = { msg, ack };
chan fwd = [1] of { mtype, byte, bit };
chan bwd = [1] of { mtype, bit };

active proctype Sender()
{
	byte data;
	bit b, r;

	do
	:: fwd ! msg(data, b)
	:: bwd ? ack(r) ->
		if
		:: r == b -> data = (data + 1) % 4; b = 1 - b
		:: r != b
		fi
	od
}

active proctype Receiver()
{
	byte data, want;
	bit b, expected;

	do
	:: fwd ? msg(data, b) ->
		if
		:: b == expected ->
			assert(data == want);
			want = (want + 1) % 4;
			expected = 1 - expected
		:: else
		fi;
		bwd ! ack(b)
	od
}

active proctype Thief()
{
	do
	:: fwd ? msg(_, _)
	:: bwd ? ack(_)
	od
}
