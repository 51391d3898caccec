/* Go-back-n with two-bit sequence numbers; the line loses at will and the receiver takes only what comes in order. */
unsigned base : 2;
unsigned next : 2;
unsigned want : 2;
chan data = [2] of { byte };
chan ack = [2] of { byte };

#define room ((next - base + 4) % 4 < 2)

active proctype Sender()
{
	byte a;

	do
	:: room ->
		if
		:: nfull(data) -> data ! next
		:: true
		fi;
		next = next + 1
	:: ack ? a -> d_step {
		if
		:: (a - base + 4) % 4 <= (next - base + 4) % 4 -> base = a
		:: else
		fi;
		a = 0
	   }
	:: empty(data) && empty(ack) && next != base -> next = base
	od
}

active proctype Receiver()
{
	byte s;

	do
	:: data ? s ->
		if
		:: s == want -> want = want + 1
		:: else
		fi;
		s = 0;
		if
		:: nfull(ack) -> ack ! want
		:: true
		fi
	od
}
