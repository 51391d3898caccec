/* Two numbers from the command line drive a counter modulo eight. */
unsigned c : 3 = START;
byte rounds;

active proctype Count()
{
	do
	:: c != 1 -> c = c + STEP; rounds++
	:: c == 1 -> break
	od;
	assert(rounds == 4)
}
