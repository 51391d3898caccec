/* An mtype variable is stored in a byte: computed values outside the names are kept modulo 256. */
mtype = { alpha, beta };
mtype m = alpha;

active proctype Odd()
{
	m = alpha + 300;
	assert(m == 46);
	m = m - 44;
	assert(m == alpha);
	m = 0;
	assert(!m)
}
