/* The first statement of a d_step is its guard: the block waits as a whole, here as options of a loop. */
byte n = 1;

active proctype Up()
{
end:	do
	:: d_step { n < 3 -> n++; n++ }
	:: d_step { n >= 3 -> n = n - 3 }
	:: n == 0 -> break
	od
}

active proctype Down()
{
end:	d_step { n == 4 -> n = 0; n++ }
}

active proctype Wake()
{
	if
	:: timeout -> n = 4
	:: n == 0
	fi
}
