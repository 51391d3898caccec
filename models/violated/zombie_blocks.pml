/* A finished process cannot disappear while a younger one lives, and the younger one waits for just that. */
byte x;

active proctype Old()
{
	x = 1
}

active proctype Young()
{
	x == 1;
	_nr_pr == 1;
	x = 2
}
