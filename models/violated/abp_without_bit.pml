/* Retransmission without a sequence bit delivers a message twice. */
chan fwd = [1] of { byte };
chan bwd = [1] of { bit };

active proctype Sender()
{
	byte n = 1;

	do
	:: n < 4 ->
		fwd ! n;
		if
		:: bwd ? 1 -> n++
		:: bwd ? 0
		fi
	:: n == 4 -> break
	od
}

active proctype Receiver()
{
	byte v, last;

end:	do
	:: fwd ? v;
	   assert(v == last + 1);
	   last = v;
	   if
	   :: bwd ! 1
	   :: bwd ! 0
	   fi
	od
}
