/* Variables of type pid wrap like a byte.
   The two instances write their own number and then a value that does not fit. */
pid who[2];

active [2] proctype Self()
{
	pid me = _pid;

	who[me] = me + 256;
	assert(who[me] == _pid);
	me = 511;
	assert(me == 255);
	who[_pid] = me
}
