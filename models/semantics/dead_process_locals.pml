/* Different values of a local meet again in one state once its process has gone. */
byte n;

active proctype P()
{
	byte v;

	if
	:: v = 1
	:: v = 2
	:: v = 3
	fi;
	n = 1
}
