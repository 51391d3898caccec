/* An inline is called with too many arguments. */
byte x;

inline put(a)
{
	x = a
}

active proctype P()
{
	put(1, 2)	// error: put takes 1 argument, not 2
}
