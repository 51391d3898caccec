/* A jump into the middle of a loop body. */
byte n;

active proctype P()
{
	if
	:: n = 5; goto inside
	:: n = 1
	fi;
	do
	:: n < 4 -> n = n + 2;
inside:	   n--
	:: n >= 4 -> break
	od
}
