/* Four people telephone until everybody knows every secret; the calls are handshakes of bit masks. */
#define N 4
byte knows[N];
chan call = [0] of { byte, byte };
byte calls;

active [N] proctype Person()
{
	byte who, what;

	knows[_pid] = 1 << _pid;
end:	do
	:: calls < 5 && knows[_pid] > 0 ->
end_call:	call ! _pid, knows[_pid]
	:: atomic {
		call ? who, what ->
		knows[_pid] = knows[_pid] | what;
		knows[who] = knows[_pid];
		calls++;
		who = 0;
		what = 0
	   }
	od
}
