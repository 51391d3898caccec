/* A channel variable is only a number that names a channel: it can be copied, compared and swapped. */
chan left = [2] of { byte };
chan right = [2] of { byte };
chan cur;
chan tmp;

active proctype Swap()
{
	byte v;

	cur = left;
	cur ! 5;
	assert(len(left) == 1 && cur == left && cur != right);
	tmp = left;
	left = right;
	right = tmp;
	assert(right == cur);
	right ? v;
	assert(v == 5);
	left ! 6;
	assert(len(cur) == 0 && len(left) == 1)
}
