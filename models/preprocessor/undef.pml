/* A macro is taken back and defined again with another value. */
#define K 1
byte a = K;
#undef K
#define K 5
byte b = K;
#undef K
byte K = 9;

active proctype P()
{
	assert(a == 1 && b == 5 && K == 9);
	K++
}
