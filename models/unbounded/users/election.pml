/* The election of Chang and Roberts: three nodes of a ring, whose numbers are any. The largest wins, once. */
int id0, id1, id2;
byte n_leaders;
chan ring[3] = [3] of { int };
/*@ parameter id0 != id1 && id1 != id2 && id0 != id2; unbounded node:mine, node:m */

proctype node(byte me; int mine)
{
	int m;

	ring[(me + 1) % 3]!mine;
	do
	:: ring[me]?m ->
		if
		:: m > mine -> ring[(me + 1) % 3]!m
		:: m == mine ->
			n_leaders++;
			assert(n_leaders == 1);
			assert(mine >= id0 && mine >= id1 && mine >= id2)
		:: else
		fi
	od
}

init
{
	atomic {
		run node(0, id0);
		run node(1, id1);
		run node(2, id2)
	}
}
