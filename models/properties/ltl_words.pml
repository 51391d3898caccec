/* The operators of temporal logic written as words. */
mtype = { idle, busy, over };
mtype st = idle;

active proctype Job()
{
	st = busy;
	do
	:: st == busy -> st = over
	:: st == over -> st = busy
	od
}

ltl w_always { always (st != 0) }
ltl w_eventually { eventually (st == over) }
ltl w_until { (st != over) until (st == busy) }
ltl w_weak { (st == idle) weakuntil (st == busy) }
ltl w_implies { always ((st == busy) implies eventually (st == over)) }
ltl w_equal { always ((st == idle) equivalent (st != busy && st != over)) }
ltl w_release { (st == busy) release (st != over) }
