/* A backward jump inside the same atomic keeps it atomic. */
byte i;
byte seen;

active proctype Back()
{
	atomic {
		seen = 0;
again:		i = i + 1;
		if
		:: i < 5 -> goto again
		:: i >= 5
		fi
	}
	i = 9
}

active proctype Look()
{
	seen = i;
	assert(seen == 0 || seen == 5 || seen == 9)
}
