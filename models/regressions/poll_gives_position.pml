/* A random poll has the position of the message as its value, counted from 1. */
chan c = [3] of { pid, byte };
byte seen;

active proctype Poller()
{
	do
	:: seen < 3 -> seen = c??[eval(0), _]
	:: seen == 3 -> break
	:: timeout -> break
	od
}

active proctype One()
{
	c!_pid,0;
	c!_pid,1
}

active proctype Two()
{
	c!0,0
}
