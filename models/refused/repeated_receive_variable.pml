/* The same variable receives two fields of one message. */
chan q = [1] of { byte, byte };
byte x;

active proctype P()
{
	q ! 1, 2;
	q ? x, x	// error: x is used for two fields of one message
}
