/* The towers of Hanoi with five discs as bit masks; the solution shows as a violated assertion. */
byte peg[3];

#define low(p) (peg[p] & -peg[p])
#define can(f, t) (peg[f] != 0 && (peg[t] == 0 || low(f) < low(t)))

inline move(f, t)
{
	d_step { can(f, t) -> disc = low(f); peg[f] = peg[f] ^ disc; peg[t] = peg[t] | disc; disc = 0 }
}

active proctype Player()
{
	byte disc;

	peg[0] = (1 << 5) - 1;
	do
	:: move(0, 1)
	:: move(0, 2)
	:: move(1, 0)
	:: move(1, 2)
	:: move(2, 0)
	:: move(2, 1)
	:: peg[2] == 31 -> assert(false)
	od
}
