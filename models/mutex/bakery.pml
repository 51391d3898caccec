/* Tickets as in a bakery for three customers; the numbers start again when the shop is empty. */
#define N 3
#define MAX 4
byte number[N];
bool choosing[N];
byte inside;

active [N] proctype Customer()
{
	byte j, m;

	do
	:: choosing[_pid] = true;
	   d_step {
		m = 0;
		j = 0;
		do
		:: j < N ->
			if
			:: number[j] > m -> m = number[j]
			:: else
			fi;
			j++
		:: j >= N -> break
		od;
		j = 0
	   };
	   if
	   :: m >= MAX -> choosing[_pid] = false; m = 0
	   :: m < MAX ->
		number[_pid] = m + 1;
		m = 0;
		choosing[_pid] = false;
		do
		:: j < N ->
			!choosing[j];
			number[j] == 0 || number[j] > number[_pid] ||
			(number[j] == number[_pid] && j >= _pid);
			j++
		:: j == N -> j = 0; break
		od;
		inside++;
		assert(inside == 1);
		inside--;
		number[_pid] = 0
	   fi
	od
}
