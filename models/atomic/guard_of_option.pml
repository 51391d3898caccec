/* An atomic as the first statement of an option makes its guard the guard of the option. */
byte tokens = 2;
byte taken[2];

active [2] proctype Take()
{
	do
	:: atomic { tokens > 0 -> tokens--; taken[_pid]++ }
	:: atomic { taken[_pid] > 0 -> taken[_pid]--; tokens++ }
	:: tokens == 0 && taken[_pid] == 2 -> break
	:: tokens == 0 && taken[_pid] == 0 -> break
	od
}
