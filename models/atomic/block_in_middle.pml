/* The first process blocks inside its atomic until the second one opens the gate.
   Only the state in which it is blocked is stored, and afterwards it is atomic again. */
bool gate;
byte n;

active proctype Inner()
{
	atomic {
		n = 1;
		n = 2;
		gate;
		n = n + 1;
		n = n + 1;
	}
	assert(n >= 4)
}

active proctype Outer()
{
	n == 2 -> gate = true;
	n = n + 10
}
