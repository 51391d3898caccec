/* The predicates full, empty, nfull and nempty may not be negated. */
chan q = [1] of { byte };

active proctype P()
{
	q ! 1;
	!empty(q);	// error: empty may not be negated, use nempty
	q ? 1
}
