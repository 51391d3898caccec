/* Broken: opens too early. */
int N, arrived, gone, round;
bool open;
/*@ parameter N >= 2; unbounded arrived, gone, round */
active proctype workers()
{
	do
	:: d_step { !open && arrived < N -> arrived++; open = (arrived + 1 >= N) }
	:: d_step { open && gone < N -> gone++ }
	:: d_step { open && gone == N -> arrived = 0; gone = 0; open = false; round++ }
	od
}
ltl together { [] (gone > 0 -> arrived == N) }
