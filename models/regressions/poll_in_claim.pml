/* A formula polls a rendezvous channel: the condition has no value, whatever the formula says about it. */
chan h = [0] of { byte };
byte n;

active proctype Source()
{
	h ! 1
}

active proctype Sink()
{
	h ? n
}

ltl never_ready { [] !(h?[1]) }
