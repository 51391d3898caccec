/* The provided clause is switched off by the process itself in the middle of its atomic. */
bool on = true;
byte n;

active proctype P() provided (on)
{
	atomic {
		n = 1;
		on = false;
		n = n + 1;
		n = n + 1
	}
}

active proctype Q()
{
	n = n + 10;
	if
	:: !on -> on = true
	:: timeout
	fi;
	n = n + 10
}
