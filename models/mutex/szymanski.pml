/* The waiting room with two doors, after Szymanski, for two processes and with indivisible tests. */
byte flag[2];
byte inside;

#define other flag[1 - _pid]

active [2] proctype Guest()
{
	do
	:: flag[_pid] = 1;
	   other < 3;
	   flag[_pid] = 3;
	   if
	   :: other == 1 ->
		flag[_pid] = 2;
		other == 4
	   :: else
	   fi;
	   flag[_pid] = 4;
	   _pid == 0 || other < 2;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   _pid == 1 || other < 2 || other > 3;
	   flag[_pid] = 0
	od
}
