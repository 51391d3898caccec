/* Signals without content: two processes alternate by means of two one-place buffers of bits. */
chan tick = [1] of { bit };
chan tock = [1] of { bit };
byte n;

active proctype A()
{
	do
	:: n < 6 -> tick ! 1; tock ? 1
	:: n >= 6 -> break
	od
}

active proctype B()
{
	do
	:: tick ? 1 -> n++; tock ! 1
	:: timeout -> break
	od
}
