/* The literal range of a for loop is empty. */
byte i, x;

active proctype P()
{
	for (i : 2 .. 1) {	// error: the start of the range exceeds its end
		x++
	}
}
