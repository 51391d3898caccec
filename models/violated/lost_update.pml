/* Two processes read, add and write back without protection, and an update gets lost. */
byte n;
byte finished;

active [2] proctype Add()
{
	byte t;

	t = n;
	n = t + 1;
	finished++;
	if
	:: finished == 2 -> assert(n == 2)
	:: finished < 2
	fi
}
