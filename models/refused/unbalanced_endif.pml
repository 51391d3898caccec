/* A conditional is closed that was never opened. */
byte x;
#endif	// error: #endif without #if

active proctype P()
{
	x = 1
}
