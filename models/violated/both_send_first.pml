/* Both sides fill the buffer of the other one before they read. */
chan ab = [1] of { byte };
chan ba = [1] of { byte };

active proctype A()
{
	byte v;

	ab ! 1; ab ! 2; ba ? v; ba ? v
}

active proctype B()
{
	byte v;

	if
	:: ba ! 1; ba ! 2; ab ? v; ab ? v
	:: ab ? v; ab ? v; ba ! 1; ba ! 2
	fi
}
