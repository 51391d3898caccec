/* Names with an underscore and an expression as the upper bound. */
byte my_pick;
byte max_val = 2;

active proctype Choose()
{
	byte in_pick;

	select(my_pick : 0 .. max_val);
	select(in_pick : 1 .. max_val + 1);
	assert(in_pick + my_pick <= 5)
}
