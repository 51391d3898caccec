/* Inside an atomic a selection with a handshake receive and an else: a waiting sender does not prevent the else. */
chan h = [0] of { byte };
byte x;
byte other;

active proctype Look()
{
	byte v;

	atomic {
		x = 1;
		if
		:: h ? v -> x = 2
		:: else -> x = 3
		fi;
		x = x + 10
	}
	if
	:: v == 0 -> h ? v
	:: v > 0
	fi
}

active proctype Offer()
{
	h ! 7;
	other = x
}

active proctype Noise()
{
	other = x;
	other = x + 1
}
