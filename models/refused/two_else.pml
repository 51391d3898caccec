/* One selection with two else options. */
byte x;

active proctype P()
{
	if
	:: x == 1 -> x = 2
	:: else -> x = 3
	:: else -> x = 4	// error: more than one else
	fi
}
