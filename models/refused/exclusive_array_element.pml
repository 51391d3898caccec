/* The end of an array's element cannot be claimed. */
chan q[2] = [2] of { byte };

active proctype One()
{
	xs q[0];	// error: an element of an array
	q[0] ! 1
}
