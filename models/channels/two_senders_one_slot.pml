/* Two senders check the room and send in one atomic step; the messages never mix up. */
chan q = [2] of { pid, byte };
byte last[2];

active [2] proctype Sender()
{
	byte k;

	do
	:: atomic { nfull(q) && k < 3 -> k++; q ! _pid, k }
	:: k == 3 -> break
	od
}

active proctype Receiver()
{
	pid p;
	byte k;
	byte total;

	do
	:: total < 6 ->
		q ? p, k;
		assert(k == last[p] + 1);
		last[p] = k;
		total++
	:: total == 6 -> break
	od
}
