/* Two statements carry the same label. */
byte x;

active proctype P()
{
here:	x = 1;
	if
	:: x == 0 -> goto here
	:: x == 1
	fi;
here:	x = 2	// error: label here is defined twice
}
