/* A loop made of a label in front of an atomic and a jump back to it. */
byte n;
byte m;

active [2] proctype Round()
{
again:
	atomic {
		n = (n < 4 -> n + 1 : 4);
		m = n
	};
	if
	:: m == 4 -> n = 4
	:: m < 4 -> goto again
	fi
}
