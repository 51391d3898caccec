/* A lock with an indivisible test-and-set for three users. */
bit lock;
byte inside;
byte visits[3];

active [3] proctype User()
{
	bit old;

	do
	:: visits[_pid] < 2 ->
		do
		:: d_step { old = lock; lock = 1 };
		   if
		   :: old == 0 -> break
		   :: old == 1
		   fi
		od;
		inside++;
		assert(inside == 1);
		inside--;
		visits[_pid]++;
		lock = 0
	:: visits[_pid] == 2 -> break
	od
}
