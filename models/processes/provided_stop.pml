/* A switch suspends the worker completely, including its death. */
bool on = true;
byte work;

active proctype Worker() provided (on)
{
	work++;
	work++;
	work++
}

active proctype Switch()
{
	on = false;
	assert(work <= 3);
	on = true
}
