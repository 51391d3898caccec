/* As lock.pml, with a client that gives the lock back too early. */
bit lock;
bit busy;

active proctype Client()
{
	do
	:: atomic { lock == 0 -> lock = 1 };
	   busy = 1;
	   lock = 0;
	   busy = 0
	od
}

active proctype Rival()
{
	do
	:: atomic { lock == 0 -> lock = 1 };
	   assert(busy == 0);
	   busy = 1;
	   busy = 0;
	   lock = 0
	od
}
