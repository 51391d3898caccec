/* A ring of stations made of an array of channels; a number travels round it twice. */
#define N 3
chan link[N] = [1] of { byte };
byte rounds;

active [N] proctype Station()
{
	byte v;

	if
	:: _pid == 0 -> link[1] ! 1
	:: else
	fi;
	do
	:: link[_pid] ? v ->
		if
		:: v < 6 -> link[(_pid + 1) % N] ! v + 1
		:: else -> rounds = v; break
		fi
	:: rounds > 0 -> break
	od
}
