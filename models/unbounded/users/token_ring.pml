/* A token goes round N stations. Station `me` is any of them: it is in its critical section with the token only. */
int N, me, at;
bool critical;
/*@ parameter N >= 2 && 0 <= me && me < N; unbounded at */

active proctype token()
{
	do
	:: d_step {
		!critical || at != me;
		if
		:: at == N - 1 -> at = 0
		:: else -> at++
		fi
	   }
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
