/* In a handshake, too, the field type of the channel cuts the value on its way. */
chan h = [0] of { byte, bool };
int got;
int flag = 9;

active proctype Giver()
{
	h ! 513, 4
}

active proctype Taker()
{
	h ? got, flag;
	assert(got == 1);
	assert(flag == 0)
}
