/* Statements without any effect are steps nevertheless. */
byte n;

active proctype A()
{
	skip;
	true;
	1;
	n == 0 || n == 1;
	n = 1
}

active proctype B()
{
	if
	:: true
	:: skip
	:: n -> skip
	fi;
	n
}
