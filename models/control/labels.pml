/* One statement carries three labels and is reached by all of them. */
byte n;

active proctype Many()
{
start:	n++;
	if
	:: n == 1 -> goto one
	:: n == 2 -> goto two
	:: n == 3 -> goto three
	:: n > 3 -> goto finish
	fi;
one: two: three:
	n = n + 1;
	goto start;
finish:
	assert(n == 5)
}
