/* A label that starts with accept inside a process; safety counts are not affected by it. */
byte n;

active proctype Ring()
{
	do
	:: n < 4 ->
accept_up:	n++
	:: n == 4 -> n = 0
	od
}

active proctype Once()
{
	n == 2;
	skip
}
