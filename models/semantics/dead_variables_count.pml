/* A local that is never read again still distinguishes states. */
active proctype P()
{
	byte v;

	if
	:: v = 1
	:: v = 2
	:: v = 3
	fi;
	skip;
	skip
}
