/* A handshake channel is always empty and, surprisingly, never full. */
chan h = [0] of { byte };
byte n;

active proctype S()
{
	h ! 1
}

active proctype P()
{
	assert(len(h) == 0);
	assert(empty(h));
	assert(nfull(h));
	if
	:: full(h) -> assert(false)
	:: nempty(h) -> assert(false)
	:: h ? n
	fi;
	n = 2
}
