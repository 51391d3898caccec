/* A loop of an assignment that changes nothing adds transitions and no states. */
byte x = 1;

active proctype P()
{
	do
	:: x = 1
	:: x = 1 -> x = 1
	:: x == 0 -> break
	od
}
