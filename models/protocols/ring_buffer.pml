/* A ring buffer made of an array and two indices, without any lock, for one writer and one reader. */
#define N 3
byte slot[N];
byte head, tail;

active proctype Writer()
{
	byte v;

	do
	:: (tail + 1) % N != head ->
		v = (v + 1) % 5;
		slot[tail] = v;
		tail = (tail + 1) % N
	od
}

active proctype Reader()
{
	byte want;

	do
	:: head != tail ->
		want = (want + 1) % 5;
		assert(slot[head] == want);
		head = (head + 1) % N
	od
}
