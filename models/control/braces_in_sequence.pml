/* Plain blocks group statements and are not steps. */
byte n;

active proctype Group()
{
	{ n = 1; };
	{ { n = 2 }; n = 3; };
	if
	:: { n == 3 -> n = 4; };
	:: { n == 0; n = 5 }
	fi;
	{ skip }
}

active proctype Zero()
{
	n = 0
}
