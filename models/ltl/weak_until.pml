/* A grant comes after a request only; the weak until does not ask for either. */
bool request, granted, early;

active proctype Client()
{
	if
	:: request = true
	:: early = true
	:: skip
	fi
}

active proctype Server()
{
	if
	:: request -> granted = true
	:: early -> granted = true
	fi
}

ltl in_order { (! granted) W request }
ltl in_order_or_early { (! granted) W (request || early) }
ltl never_asked { (! request && ! early) W granted }
ltl for_ever { (request || ! request) W false }
