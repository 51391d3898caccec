/* The message is cut to the width of the field before the comparison, and the constant of the receiver is not. */
chan q = [1] of { byte };
int v = 257;

active proctype S()
{
	q ! 257
}

active proctype R()
{
	if
	:: q ? 257 -> assert(false)
	:: q ? eval(v) -> assert(false)
	:: q ? 1
	fi
}
