/* Several readers or one writer at a time. */
byte readers;
bool writing;

active [3] proctype Reader()
{
end:	do
	:: atomic { !writing -> readers++ };
	   assert(!writing);
	   readers--
	od
}

active [2] proctype Writer()
{
end:	do
	:: atomic { !writing && readers == 0 -> writing = true };
	   assert(readers == 0 && writing);
	   writing = false
	od
}
