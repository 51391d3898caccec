/* An arrow is the same as a semicolon anywhere, and superfluous semicolons are no steps. */
byte n;

active proctype P()
{
	n = 1 -> n = 2 -> n = 3;
	if
	:: n == 3; n = 4;
	:: n == 4 -> n = 5;
	fi;
	do
	:: n < 6; n++;
	:: n == 6 -> break;
	od;
	atomic { n = 7 -> n = 8; };
	assert(n == 8);
}
