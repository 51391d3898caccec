/* The random poll looks through the whole buffer. */
chan q = [3] of { byte };
bool found;

active proctype One()
{
	q ! 4;
	q ! 5;
	q ! 6;
	assert(q ?? [5] && !q ? [5]);
	found = q ?? [6];
	assert(found);
	q ?? 5;
	assert(!q ?? [5])
}

active proctype Two()
{
	found -> q ?? [6] -> q ?? 6
}
