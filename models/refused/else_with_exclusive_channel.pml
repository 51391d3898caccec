/* An else beside a receive, in a program that claims a channel end with xr. */
chan q = [2] of { byte };
byte n;

active proctype Sink()
{
	byte v;

	xr q;
	if	// error: else beside a receive, and xr before it
	:: q ? v
	:: else -> n = 1
	fi
}
