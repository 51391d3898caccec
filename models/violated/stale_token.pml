/* A token that is made anew after a supposed loss ends up twice in the ring. */
#define N 3
chan ring[N] = [2] of { bit };
byte inside;
bool remade;

active [N] proctype Station()
{
	if
	:: _pid == 0 -> ring[1] ! 1
	:: _pid != 0
	fi;
end:	do
	:: ring[_pid] ? 1;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   ring[(_pid + 1) % N] ! 1
	:: atomic { !remade && _pid == 0 && empty(ring[0]) -> remade = true };
	   ring[1] ! 1
	od
}
