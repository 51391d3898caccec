/* Conditional expressions as values, as array index, nested, and as a guard. */
byte t[3];
byte i;

active [2] proctype Pick()
{
	byte k;

	k = (i > 0 -> 2 : (t[0] == 0 -> 0 : 1));
	t[(k == 2 -> 2 : 1)] = k + 1;
	i = (i < 2 -> i + 1 : 0);
	(i == 2 -> t[2] : t[1]) + 1 > 0;
	k = 9
}
