/* A request is answered within `slow`; the client gives up after `wait` time units, longer than that. */
int slow, wait;
int c;
bool asked, answered, gaveup;
/*@ clock c; progress c <= slow || answered || !asked; parameter 0 < slow && slow < wait */

active proctype client()
{
	d_step { c = 0; asked = true };
	if
	:: answered
	:: c >= wait && !answered -> gaveup = true
	fi
}

active proctype server()
{
	atomic { asked && c <= slow -> answered = true }
}
ltl never_gives_up { [] !gaveup }
