/*
 * Two processes request, obtain and release a resource: the example of the paper on the algorithm.
 *
 *   -DBROKEN   a process obtains the resource also while the other one possesses it
 *
 * The processes are those of figure 1: what one does the other one observes, so that a state says
 * where both stand. `waiting_idle` is: I am waiting, the other one is idle.
 *
 *   trace  the property of figure 2: who obtains the resource releases it before the other obtains it
 *
 * Splits: `--module Second`, as in the paper, and `--module First`.
 *
 * An action of both is a rendezvous here. Assumed: the edges of figure 1, of which the text gives
 * only the names of states and actions. `docs/examples/mutual_exclusion.net` has the same automata.
 */
mtype = { request, obtain, release };

chan by_first = [0] of { mtype };
chan by_second = [0] of { mtype };

/* It starts where the caller puts the label `idle_idle`. */
inline user(act, observe)
{
	if
	:: act ! request -> goto waiting_idle
	:: observe ? request -> goto idle_waiting
	fi;
idle_waiting:
	if
	:: act ! request -> goto waiting_waiting
	:: observe ? obtain -> goto idle_holding
	fi;
idle_holding:
	if
	:: act ! request -> goto waiting_holding
	:: observe ? release -> goto idle_idle
	fi;

waiting_idle:
	if
	:: act ! obtain -> goto holding_idle
	:: observe ? request -> goto waiting_waiting
	fi;
waiting_waiting:
	if
	:: act ! obtain -> goto holding_waiting
	:: observe ? obtain -> goto waiting_holding
	fi;
waiting_holding:
	if
	:: observe ? release -> goto waiting_idle
#ifdef BROKEN
	:: act ! obtain -> goto holding_holding
#endif
	fi;

holding_idle:
	if
	:: act ! release -> goto idle_idle
	:: observe ? request -> goto holding_waiting
	fi;
holding_waiting:
	if
	:: act ! release -> goto idle_waiting
	:: observe ? obtain -> goto holding_holding
	fi;
holding_holding:
	if
	:: act ! release -> goto idle_holding
	:: observe ? release -> goto holding_idle
	fi
}

active proctype First()
{
idle_idle:
	user(by_first, by_second)
}

active proctype Second()
{
idle_idle:
	user(by_second, by_first)
}

trace {
free:
	if
	:: by_first ! request -> goto free
	:: by_second ! request -> goto free
	:: by_first ! obtain -> goto taken_by_first
	:: by_second ! obtain -> goto taken_by_second
	fi;
taken_by_first:
	if
	:: by_second ! request -> goto taken_by_first
	:: by_first ! release -> goto free
	fi;
taken_by_second:
	if
	:: by_first ! request -> goto taken_by_second
	:: by_second ! release -> goto free
	fi
}
