/* The signal is given before the other one starts to wait. */
bool waiting, wake;

active proctype Sleeper()
{
	!wake;
	waiting = true;
	wake -> waiting = false
}

active proctype Waker()
{
	if
	:: waiting -> wake = true
	:: !waiting -> skip
	fi
}
