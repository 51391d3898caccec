/* Twelve stations pass a token round. It counts its steps, and the assertion fails when it is back. */
chan ring[12] = [1] of { byte, bool };
byte holder;
active [12] proctype Station()
{
	byte n; bool urgent;
	if
	:: _pid == 0 -> ring[1]!1,true
	:: else
	fi;
	do
	:: ring[_pid]?n,urgent ->
		holder = _pid;
		assert(n < 12);
		ring[(_pid + 1) % 12]!n + 1,urgent
	od
}
