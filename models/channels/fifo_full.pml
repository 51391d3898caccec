/* A buffer of two between a producer and a consumer; sends block when it is full.
   The predicates on the filling agree with the length. */
chan buf = [2] of { byte };

active proctype Producer()
{
	byte i;

	do
	:: i < 5 -> buf ! i; i++
	:: i == 5 -> break
	od
}

active proctype Consumer()
{
	byte v, want;

	do
	:: want < 5 ->
		assert(len(buf) <= 2);
		buf ? v;
		assert(v == want);
		want++
	:: want == 5 -> break
	od;
	assert(empty(buf) && nfull(buf))
}

active proctype Watcher()
{
	if
	:: full(buf) -> nempty(buf) || empty(buf)
	:: timeout -> len(buf) == 0
	fi
}
