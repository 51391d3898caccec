/* A random receive on a handshake channel is an ordinary receive; three options that match give three transitions. */
chan h = [0] of { byte };
byte x;

active proctype S()
{
	h ! 257
}

active proctype R()
{
	if
	:: h ?? 1 -> x = 4
	:: h ? x
	:: h ? _
	:: h ? 2 -> assert(false)
	fi
}
