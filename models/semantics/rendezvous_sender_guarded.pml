/* Three senders and two receivers; every pairing is possible. */
chan h = [0] of { pid };
byte got[2];

active [2] proctype R()
{
	h ? got[_pid]
}

active [3] proctype S()
{
	if
	:: h ! _pid
	:: got[0] && got[1]
	fi
}
