/* As lock.pml, with two processes that both work in another way. */
bit lock;
bit busy;

active proctype Client()
{
	byte tries;
	do
	:: tries < 3 -> tries++
	:: atomic { lock == 0 -> lock = 1 };
	   busy = 1;
	   busy = 0;
	   tries = 0;
	   lock = 0
	od
}

active proctype Rival()
{
	do
	:: atomic { lock == 0 -> lock = 1 };
	   assert(busy == 0);
	   do
	   :: busy = 1; busy = 0
	   :: break
	   od;
	   lock = 0
	od
}
