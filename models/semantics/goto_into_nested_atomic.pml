/* An atomic that consists of a jump only. */
byte x;

active proctype P()
{
	if
	:: atomic { goto leave }
	:: x = 1
	fi;
	x = 2;
leave:
	x = x + 3
}

active proctype Q()
{
	x = 7
}
