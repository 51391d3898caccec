/* Declarations come from a file beside this one, which is included twice but guarded. */
#include "shared.inc"
#include "shared.inc"
byte n;
mtype dir = up;

active [2] proctype P()
{
	bump(n);
	if
	:: n == LIMIT -> dir = down
	:: n < LIMIT -> bump(n)
	fi;
	assert(n <= LIMIT)
}
