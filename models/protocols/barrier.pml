/* Three workers meet at a barrier after every phase. */
#define N 3
byte phase[N];
byte waiting;
bit sense;

active [N] proctype Worker()
{
	bit mine = 1;
	byte k;

	do
	:: k < 3 ->
		phase[_pid] = phase[_pid] + 1;
		assert(phase[_pid] - phase[(_pid + 1) % N] <= 1);
		atomic {
			waiting++;
			if
			:: waiting == N -> waiting = 0; sense = mine
			:: else
			fi
		};
		sense == mine;
		mine = 1 - mine;
		k++
	:: k == 3 -> break
	od
}
