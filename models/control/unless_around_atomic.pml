/* The body of the unless is an atomic followed by plain steps. */
byte x;
bool kick;

active proctype Guarded()
{
	{
		atomic { x = 1; x = 2; x = 3 };
		x = 4;
		x = 5
	} unless {
		atomic { kick -> x = x + 10; x = x + 10 }
	}
}

active proctype Kicker()
{
	x > 1 -> kick = true
}
