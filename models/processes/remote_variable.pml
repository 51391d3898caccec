/* One process reads the local variables of two others. */
bool end_now;

active [2] proctype Hider()
{
	byte secret = 1;

	secret = secret + _pid;
	secret = secret * 3;
end:	end_now
}

active proctype Spy()
{
	Hider[0]:secret == 3 && Hider[1]:secret == 6;
	assert(Hider[0]:secret + Hider[1]:secret == 9);
	end_now = true
}
