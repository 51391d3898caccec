/* Declarations at the top of a body are no steps, whatever their initialisers. */
active [2] proctype P()
{
	byte a = 1;
	int b = a + 4;
	bool c = b > 3;

	assert(c);
	a = b
}
