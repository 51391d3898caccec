/* A selection is not closed. */
byte x;

active proctype P()
{
	if
	:: x == 0 -> x = 1
	:: x == 1 -> x = 2
}	// error: expected fi
