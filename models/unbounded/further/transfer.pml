/* Two accounts: amounts go from one to the other, and nothing is lost. No guard and no assignment mentions the sum. */
int total, step;
int from, to;
/*@ unbounded from, to; parameter total >= 0; parameter step >= 1 */

active proctype bank()
{
	from = total;
	do
	:: d_step { from >= step; from = from - step; to = to + step }
	:: d_step { to >= step; to = to - step; from = from + step }
	:: from == 0 -> break
	od;
	assert(to == total)
}
