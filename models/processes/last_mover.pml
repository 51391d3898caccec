/* The process that moved last is visible in a guard, so it becomes part of the state. */
byte n;

active proctype A()
{
	n++;
	n++;
	_last == 1 || n > 3;
	n++
}

active proctype B()
{
	n++;
	n++
}
