/* Elements of a bit array are bytes, but in a message of several fields they are cut to one bit. */
typedef Pair { bit f[2]; bit last };
chan c = [0] of { Pair };
byte got;

active proctype Sender()
{
	Pair m;
	do
	:: m.f[0] < 4 -> m.f[0]++
	:: c!m -> break
	od
}

active proctype Receiver()
{
	Pair n;
	c?n;
	got = n.f[0];
	assert(got < 2)
}
