/* Broken: the sender waits for longer than the message is on its way, but not the acknowledgement. */
int D, T, since, flight;
bool message, acknowledgement;
/*@ parameter 0 < D && D < T && T < 2 * D;
    clock since, flight;
    progress flight <= D || !(message || acknowledgement) */

active proctype sender()
{
	do
	:: d_step { since = 0; flight = 0; message = true };
		if
		:: atomic { acknowledgement -> acknowledgement = false }
		:: since >= T ->
			assert(!message && !acknowledgement)
		fi
	od
}

active proctype receiver()
{
	do
	:: d_step { message -> message = false; acknowledgement = true; flight = 0 }
	od
}

active proctype loss()
{
	do
	:: d_step { message -> message = false }
	:: d_step { acknowledgement -> acknowledgement = false }
	od
}
