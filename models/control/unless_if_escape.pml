/* The escape is a choice; one of its branches leaves the whole construct by a jump. */
byte mode;
byte x;

active proctype Run()
{
	{
		x = 1;
		x = 2;
		x = 3;
		x = 4
	} unless {
		if
		:: mode == 1 -> x = 50
		:: mode == 2 -> goto gone
		fi
	};
	x = x + 1;
gone:
	mode = 0
}

active proctype Env()
{
	if
	:: mode = 1
	:: mode = 2
	:: true
	fi
}
