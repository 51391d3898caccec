/* A comment that never ends. */
byte x;

active proctype P()
{
	x = 1
}

/* here it starts	// error: unterminated comment
