/* The sorted send keeps the buffer in ascending order of the whole message, the first field first. */
chan s = [4] of { byte, byte };
byte a, b;

active proctype Sort()
{
	s !! 3, 1;
	s !! 1, 9;
	s !! 3, 0;
	s !! 2, 5;
	s ? a, b;
	assert(a == 1 && b == 9);
	s ? a, b;
	assert(a == 2 && b == 5);
	s ? a, b;
	assert(a == 3 && b == 0);
	s ? a, b;
	assert(a == 3 && b == 1)
}
