/* A message has more fields than its channel. */
chan q = [1] of { byte };

active proctype P()
{
	q ! 1, 2	// error: q has 1 field, not 2
}
