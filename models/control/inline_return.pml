/* An inline that returns a value and is called on the right-hand side of an assignment. */
int r;
byte k = 3;

inline square(n)
{
	int s;
	s = n * n;
	return s
}

inline larger(p, q)
{
	if
	:: p > q -> return p
	:: else -> return q
	fi
}

active proctype Use()
{
	r = square(k);
	assert(r == 9);
	r = larger(r, 4);
	assert(r == 9);
	r = larger(k, r + 1);
	assert(r == 10)
}
