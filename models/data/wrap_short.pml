/* A short is a signed number of 16 bits: 32767 plus one is -32768.
   A second process races so that the order of the two stores shows in the states. */
short s = 32767;
short t = -1;

active proctype Up()
{
	s = s + 1;
	assert(s == -32768);
	s = 65535;
	assert(s == -1)
}

active proctype Down()
{
	t = t - 32768;
	assert(t == 32767);
	t = 65536 + 12;
	assert(t == 12)
}
