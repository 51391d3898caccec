/* A handshake receive never counts as executable for else, so the else may be taken although a sender waits. */
chan h = [0] of { byte };
byte got;
byte idle;

active proctype Offer()
{
	h ! 3
}

active proctype Look()
{
	do
	:: got == 0 && idle < 3 ->
		if
		:: h ? got
		:: else -> idle++
		fi
	:: got > 0 || idle == 3 -> break
	od;
	if
	:: got == 0 -> h ? got
	:: got > 0 -> skip
	fi
}
