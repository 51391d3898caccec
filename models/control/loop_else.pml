/* The else of a loop is judged anew in every round. */
byte n;
byte idle;

active proctype Loop()
{
	do
	:: n % 2 == 0 && n < 6 -> n++
	:: n == 3 -> n = 4
	:: else ->
		if
		:: n >= 5 -> break
		:: else -> n++; idle++
		fi
	od;
	assert(idle <= 2)
}

active proctype Kick()
{
	if
	:: n == 1 -> n = 3
	:: n > 1
	fi
}
