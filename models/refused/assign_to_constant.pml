/* An mtype name is a constant. */
mtype = { red, green };

active proctype P()
{
	red = 3	// error: red is not a variable
}
