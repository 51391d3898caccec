/* Broken: rounded up. */
int lo, hi, mid, n;
/*@ parameter n >= 1; unbounded lo, hi, mid */

active proctype search()
{
	hi = n;
	do
	:: lo < hi ->
	   mid = (lo + hi + 1) / 2;
	   assert(lo <= mid && mid < hi);
	   if
	   :: lo = mid + 1
	   :: hi = mid
	   fi
	:: else -> break
	od;
	done: assert(lo == hi && 0 <= lo && lo <= n)
}
ltl stops { <> (search@done) }
