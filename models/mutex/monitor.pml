/* A monitor with a first-come queue: who finds it occupied puts its number into the queue and waits to be called. */
#define N 3
chan queue = [N] of { pid };
bool taken;
bool called[N];
byte inside;

inline enter()
{
	atomic {
		if
		:: !taken -> taken = true
		:: else -> queue ! _pid; called[_pid] -> called[_pid] = false
		fi
	}
}

inline leave()
{
	atomic {
		if
		:: nempty(queue) -> queue ? next; called[next] = true; next = 0
		:: empty(queue) -> taken = false
		fi
	}
}

active [N] proctype User()
{
	pid next;

	do
	:: enter();
	   inside++;
	   assert(inside == 1);
	   inside--;
	   leave()
	od
}
