/* A row of processes sorts by exchanging with the neighbour in odd and even rounds. */
#define N 4
chan right[N] = [0] of { byte };
chan left[N] = [0] of { byte };
byte result[N];

active [N] proctype Cell()
{
	byte v = (7 * _pid + 3) % 5;
	byte w, round;

	do
	:: round < N ->
		if
		:: (_pid + round) % 2 == 0 && _pid < N - 1 ->
			right[_pid] ! v;
			left[_pid] ? v
		:: (_pid + round) % 2 == 1 && _pid > 0 ->
			right[_pid - 1] ? w;
			if
			:: w > v -> left[_pid - 1] ! v; v = w
			:: else -> left[_pid - 1] ! w
			fi;
			w = 0
		:: else
		fi;
		round++
	:: round == N -> break
	od;
	result[_pid] = v;
	assert(_pid == 0 || result[_pid - 1] <= v || result[_pid - 1] == 0)
}
