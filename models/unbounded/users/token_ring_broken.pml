/* Broken: the station may enter between the test of the token and its move. */
int N, me, at;
bool critical;
/*@ parameter N >= 2 && 0 <= me && me < N; unbounded at */

active proctype token()
{
	do
	:: !critical || at != me;
		if
		:: at == N - 1 -> at = 0
		:: else -> at++
		fi
	od
}

active proctype station()
{
	do
	:: atomic { at == me -> critical = true };
		assert(at == me);
		critical = false
	od
}
ltl exclusive { [] (critical -> at == me) }
ltl within { [] (0 <= at && at < N) }
