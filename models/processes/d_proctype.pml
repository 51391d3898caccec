/* The old keyword for a deterministic process type behaves like an ordinary one. */
byte x;

active D_proctype Det()
{
	do
	:: x < 3 -> x++
	:: x >= 3 -> break
	od
}

active proctype Other()
{
	{ x == 2 -> x = 3 } unless { x == 3 }
}
