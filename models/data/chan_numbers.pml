/* Channels are numbered from one in the order of their creation, arrays element by element. */
chan a = [1] of { byte };
chan b[2] = [1] of { byte };
chan none;
byte n;

active proctype P()
{
	chan own = [1] of { byte };

	n = a;
	assert(n == 1);
	n = b[1];
	assert(n == 3);
	n = own;
	assert(n == 4);
	n = none;
	assert(n == 0)
}
