/* The system comes to rest, with one process still alive, while the event trace waits for one more message.
   spin reports this as an invalid end state and not as an error of the trace. */
chan c = [2] of { byte };
byte n;

active proctype S()
{
	c ! 1;
	n = 1;
	c ! 2
}

active proctype Idle()
{
end:	n == 9
}

trace {
	c ! 1;
	c ! 2;
	c ! 3
}
