/* Declares exclusive use of the channel ends, which is a promise to the tool and must not change the states. */
chan q = [2] of { byte };

active proctype Source()
{
	byte n;

	xs q;
	do
	:: n < 4 -> q ! n; n++
	:: n == 4 -> break
	od
}

active proctype Sink()
{
	byte v, n;

	xr q;
	do
	:: n < 4 -> q ? v; assert(v == n); n++
	:: n == 4 -> break
	od
}
