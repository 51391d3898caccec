/* Broken: a coin too many. */
int total, step;
int from, to;
/*@ unbounded from, to; parameter total >= 0; parameter step >= 1 */

active proctype bank()
{
	from = total;
	do
	:: d_step { from >= step; from = from - step; to = to + step + (from == 1) }
	:: d_step { to >= step; to = to - step; from = from + step }
	:: from == 0 -> break
	od;
	assert(to == total)
}
