/* An initialised channel is declared below the first statement. */
byte n;

active proctype P()
{
	n = 1;
	chan c = [1] of { byte };	// error: an initialised channel must be declared at the start of the proctype
	c ! n
}
