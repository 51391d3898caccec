/* The assertion fails inside a deterministic step. */
byte x;

active [2] proctype P()
{
	d_step {
		x = x + 2;
		assert(x <= 2);
		x++
	};
	x--
}
