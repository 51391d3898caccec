/* Three frogs on each side jump over each other; wrong tries end in states without moves, which are marked as valid ends. */
#define N 7
byte stone[N];
byte hole = 3;

active proctype Frogs()
{
	byte i;

	for (i : 0 .. 6) {
		stone[i] = (i < 3 -> 1 : (i == 3 -> 0 : 2))
	}
	i = 0;
end:	do
	:: d_step { hole >= 1 && stone[hole - (hole >= 1 -> 1 : 0)] == 1 ->
		stone[hole] = 1; hole = hole - 1; stone[hole] = 0 }
	:: d_step { hole >= 2 && stone[hole - (hole >= 2 -> 2 : 0)] == 1 ->
		stone[hole] = 1; hole = hole - 2; stone[hole] = 0 }
	:: d_step { hole < N - 1 && stone[(hole < N - 1 -> hole + 1 : 0)] == 2 ->
		stone[hole] = 2; hole = hole + 1; stone[hole] = 0 }
	:: d_step { hole < N - 2 && stone[(hole < N - 2 -> hole + 2 : 0)] == 2 ->
		stone[hole] = 2; hole = hole + 2; stone[hole] = 0 }
	od
}
