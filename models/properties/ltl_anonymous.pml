/* A formula without a name. */
byte n;

active proctype Down()
{
	do
	:: n > 0 -> n--
	:: n == 0 -> n = 3
	od
}

ltl { [] <> (n == 0) }
