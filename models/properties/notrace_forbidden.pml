/* The sequence two, two must not be seen, and it can be. */
chan c = [2] of { byte };

active proctype S()
{
	if
	:: c ! 1
	:: c ! 2
	fi;
	if
	:: c ! 1
	:: c ! 2
	fi
}

notrace {
	if
	:: c ! 1; c ! 1; c ! 1
	:: c ! 2; c ! 2
	fi
}
