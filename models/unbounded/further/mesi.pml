/* The MESI protocol for any number of caches, counted by their states. */
int N;				/*@ parameter N >= 1 */
int invalid, excl, shared, modified;	/*@ unbounded invalid, excl, shared, modified */

active proctype Caches()
{
	invalid = N;
	do
	:: atomic { excl >= 1; excl--; modified++ }				/* write hit, exclusive */
	:: atomic { shared >= 1; invalid = invalid + excl + shared + modified - 1; excl = 1; shared = 0; modified = 0 }
	:: atomic { invalid >= 1; shared = shared + excl + modified + 1; invalid--; excl = 0; modified = 0 }	/* read miss */
	:: atomic { invalid >= 1; invalid = invalid + excl + shared + modified - 1; excl = 1; shared = 0; modified = 0 }
	od
}

ltl coherent { [] (modified <= 1 && !(modified >= 1 && shared >= 1)) }
