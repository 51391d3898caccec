/* A loop is closed with the wrong keyword. */
byte x;

active proctype P()
{
	do
	:: x < 3 -> x++
	:: x == 3 -> break
	fi	// error: expected od
}
