/* Broken: the numbers do not grow. */
chan c = [2] of { int };
int sent, got;
/*@ unbounded sent, got */

active proctype sender()
{
	do
	:: atomic { nfull(c) -> c!sent-1 }
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
