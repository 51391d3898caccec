/* The first name of an mtype list gets the highest number, and a second declaration counts on from there.
   The order of the numbers is visible through comparisons. */
mtype = { red, amber, green };
mtype = { walk, stop };
mtype lamp = amber;
int seen;

active proctype Look()
{
	assert(green == 1 && amber == 2 && red == 3);
	assert(stop < walk);
	seen = stop;
	assert(seen != red);
	seen = seen * 10 + walk;
	do
	:: lamp == amber -> lamp = red
	:: lamp == red -> lamp = green
	:: lamp == green -> break
	od
}
