/* A condition that only has a value where another one holds. */
byte n, total;
byte a[2];

active proctype P()
{
	n = 1;
	total = 6;
	n = 3;
	a[1] = 7;
	n = 0
}

ltl average { [] (n == 0 || total / n <= 6) }
ltl average_wrong { [] (n == 0 || total / n <= 2) }
ltl element { [] (n < 2 -> a[n] == 0) }
