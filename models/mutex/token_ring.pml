/* A token goes round a ring of four stations and gives the right to enter. */
#define N 4
chan ring[N] = [1] of { bit };
byte inside;

active [N] proctype Station()
{
	if
	:: _pid == 0 -> ring[0] ! 1
	:: _pid > 0
	fi;
	do
	:: ring[_pid] ? 1;
	   if
	   :: inside++; assert(inside == 1); inside--
	   :: skip
	   fi;
	   ring[(_pid + 1) % N] ! 1
	od
}
