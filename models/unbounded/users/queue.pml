/* A queue as an array: what is put in comes out in the same order. */
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
	:: first < last ->
		got = queue[first];
		first++;
		assert(got == expected);
		expected++
	od
}
