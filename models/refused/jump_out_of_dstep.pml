/* A jump from the inside of a deterministic step to the outside. */
byte x;

active proctype P()
{
	d_step {
		x = 1;
		if
		:: x == 1 -> goto outside	// error: jump out of a d_step
		:: else
		fi;
		x = 3
	};
	x = 4;
outside:
	x = 5
}
