/* Among several executable options a d_step takes the first in the text. */
byte x;
byte y;

active [2] proctype First()
{
	d_step {
		if
		:: x > 5 -> y = 9
		:: true -> y = y + 1
		:: true -> y = y + 2
		fi;
		x = x + y
	}
}
