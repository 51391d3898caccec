/* The forbidden sequence does not occur because the sender alternates. */
chan c = [2] of { byte };
byte got;

active proctype S()
{
	byte k;

	do
	:: k < 3 -> c ! k; k++
	:: k == 3 -> break
	od
}

active proctype R()
{
end:	do
	:: c ? got
	od
}

notrace {
	c ! 0; c ! 2
}
