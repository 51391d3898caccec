/* An if is the guard of an option of an outer if, and both have an else. */
byte a;
byte r;

active proctype Env()
{
	do
	:: a < 3 -> a++
	:: a == 3 -> break
	od
}

active proctype Nest()
{
	if
	:: a > 1 ->
		if
		:: a == 3 -> r = 1
		:: else -> r = 2
		fi
	:: else ->
		if
		:: a == 1 -> r = 3
		:: else -> r = 4
		fi
	fi;
	assert(r > 0)
}
