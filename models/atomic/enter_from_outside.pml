/* A jump from plain code into the middle of an atomic: the statement at the target is the first of the protected ones. */
byte x;

active [2] proctype Enter()
{
	if
	:: goto inside
	:: x = 10
	fi;
	atomic {
		x = x + 1;
inside:
		x = x + 2;
		x = x + 4
	}
}
