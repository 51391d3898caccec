/* A semaphore process hands out a permit by handshake. */
mtype = { take, give };
chan sem = [0] of { mtype };
byte inside;

active proctype Semaphore()
{
	byte count = 2;

end:	do
	:: count > 0 -> sem ! take; count--
	:: count < 2 -> sem ? give; count++
	od
}

active [3] proctype User()
{
end:	do
	:: sem ? take;
	   inside++;
	   assert(inside <= 2);
	   inside--;
	   sem ! give
	od
}
