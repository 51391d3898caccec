/* Broken: the client does not wait long enough. */
int slow, wait;
int c;
bool asked, answered, gaveup;
/*@ clock c; progress c <= slow || answered || !asked; parameter 0 < slow && wait < slow */

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
