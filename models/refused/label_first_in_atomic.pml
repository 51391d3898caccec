/* A label stands on the first statement inside an atomic instead of before it. */
byte x;

active proctype P()
{
	atomic {
again:		x++;	// error: label again must stand before the atomic
		if
		:: x < 3 -> goto again
		:: x >= 3
		fi
	}
}
