/* The options of a selection do not open scopes of their own. */
active proctype P()
{
	if
	:: byte x = 1; x++
	:: byte x = 2; x--	// error: x is declared twice
	fi
}
