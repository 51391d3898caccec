/* A jump from outside into the middle of a deterministic step. */
byte x;

active proctype P()
{
	if
	:: x == 0 -> goto inside	// error: jump into a d_step
	:: x == 1
	fi;
	d_step {
		x = 1;
inside:		x = 2;
		x = 3
	}
}
