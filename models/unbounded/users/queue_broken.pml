/* Broken: the consumer takes one too many. */
int queue[1], first, last, next, got, expected;
/*@ unbounded queue[], first, last, next, got, expected */

active proctype producer()
{
	do
	:: d_step { queue[last] = next; next++ };
		last++
	od
}

active proctype consumer()
{
	do
	:: first <= last ->
		got = queue[first];
		first++;
		assert(got == expected);
		expected++
	od
}
