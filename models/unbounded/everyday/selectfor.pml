/* `select` and `for` over a range with a parameter as its end. */
int n, i, sum, pick;
/*@ parameter n >= 0; unbounded i, sum, pick */
active proctype P()
{
	select(pick : 0 .. n);
	assert(0 <= pick && pick <= n);
	for (i : 1 .. pick) {
		sum = sum + 2
	}
	assert(sum == 2 * pick)
}
