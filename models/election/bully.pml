/* The largest living node takes over after the leader may have crashed. */
#define N 3
bool alive[N] = true;
byte boss = 2;
bool settled;

active [N] proctype Node()
{
end:	do
	:: alive[_pid] && _pid == 2 && !settled -> alive[2] = false; break
	:: atomic {
		alive[_pid] && !alive[boss] && (_pid == 1 || !alive[1]) && !settled ->
		boss = _pid;
		settled = true
	   }
	:: settled -> break
	:: _pid == 2 && !settled -> settled = true
	od;
	assert(!settled || alive[boss] || boss == 2)
}
