/* A sender numbers its messages over a lossy channel; the receiver accepts only newer ones. */
chan c = [2] of { int };
int sent, got;
/*@ unbounded sent, got */

active proctype sender()
{
	do
	:: atomic { nfull(c) -> sent++; c!sent }
	od
}

active proctype receiver()
{
	int n;
	do
	:: c?n -> if
	   :: n > got -> got = n
	   :: else -> assert(false)
	   fi
	:: c?_
	od
}
ltl behind { [] (got <= sent) }
