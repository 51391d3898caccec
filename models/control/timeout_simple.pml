/* The timeout holds only when nothing else in the system can move. */
byte n;
bool stuck;

active proctype Work()
{
	n = 1;
	n = 2;
	stuck;
	n = 3
}

active proctype Rescue()
{
	timeout -> assert(n == 2);
	stuck = true
}
