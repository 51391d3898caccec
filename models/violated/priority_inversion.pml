/* The holder of the lock has a low priority and the eager one spins for ever or until it gives up and blocks. */
bit lock;
byte spins;

active proctype Low() priority 1
{
	atomic { lock == 0 -> lock = 1 };
	spins == 3;
	lock = 0
}

active proctype High() priority 5
{
	do
	:: lock == 1 && spins < 2 -> spins++
	:: lock == 0 && spins > 0 -> break
	od
}
