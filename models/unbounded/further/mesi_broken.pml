/* The MESI protocol whose read miss leaves the modified cache alone. */
int N;				/*@ parameter N >= 1 */
int invalid, excl, shared, modified;	/*@ unbounded invalid, excl, shared, modified */

active proctype Caches()
{
	invalid = N;
	do
	:: atomic { excl >= 1; excl--; modified++ }				/* write hit, exclusive */
	:: atomic { shared >= 1; invalid = invalid + excl + shared + modified - 1; excl = 1; shared = 0; modified = 0 }
	:: atomic { invalid >= 1; shared = shared + excl + 1; invalid--; excl = 0 }	/* read miss */
	:: atomic { invalid >= 1; invalid = invalid + excl + shared + modified - 1; excl = 1; shared = 0; modified = 0 }
	od
}

ltl coherent { [] (modified <= 1 && !(modified >= 1 && shared >= 1)) }
