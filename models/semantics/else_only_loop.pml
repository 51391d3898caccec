/* A bare else as the last option keeps the loop going without changing anything. */
byte x;

active proctype P()
{
	do
	:: x < 3 -> x++
	:: else
	od
}
