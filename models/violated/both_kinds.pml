/* One path breaks an assertion and another one gets stuck. */
byte x;

active proctype A()
{
	if
	:: x = 1; assert(x == 0)
	:: x = 2; x == 3
	fi
}

active proctype B()
{
	x == 2;
	x = 4
}
