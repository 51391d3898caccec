/* Opening and closing a connection with requests that may cross each other. */
mtype = { closed, opening, open, closing };
mtype = { syn, ok, fin };
chan c[2] = [2] of { mtype };
mtype st[2] = closed;

active [2] proctype Peer()
{
	do
	:: st[_pid] == closed && nfull(c[1 - _pid]) -> c[1 - _pid] ! syn; st[_pid] = opening
	:: st[_pid] == closed && c[_pid] ? [syn] ->
		c[_pid] ? syn;
		c[1 - _pid] ! ok;
		st[_pid] = open
	:: st[_pid] == opening && nempty(c[_pid]) ->
		if
		:: c[_pid] ? ok
		:: c[_pid] ? syn
		fi;
		st[_pid] = open
	:: st[_pid] == open -> break
	od;
	assert(st[_pid] == open);
	assert(st[1 - _pid] != closing)
}
