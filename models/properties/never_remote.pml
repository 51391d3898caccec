/* The claim checks with remote references that the two are never together at their critical label. */
bit busy;

active [2] proctype User()
{
	do
	:: atomic { busy == 0 -> busy = 1 };
crit:	   skip;
	   busy = 0
	od
}

never {
	do
	:: User[0]@crit && User[1]@crit -> break
	:: else
	od
}
