/* The older process finishes at once but can disappear only after the younger one. */
byte alive;

active proctype Old()
{
	alive++
}

active proctype Middle()
{
	alive++;
	alive++
}

active proctype Young()
{
	_nr_pr == 3;
	alive == 3 -> alive = 10;
	assert(_nr_pr == 3)
}
