/* A d_step inside an atomic: choices are explored in the atomic part and not in the deterministic part. */
byte x;
byte y;

active proctype Mixed()
{
	atomic {
		if
		:: x = 1
		:: x = 2
		fi;
		d_step {
			y = x;
			if
			:: true -> y = y + 10
			:: true -> y = y + 20
			fi
		};
		x = 0
	}
	assert(y == 11 || y == 12);
	y = 0
}

active proctype Seen()
{
	assert(x == 0)
}
