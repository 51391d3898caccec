/* Three paths through one atomic lead to the same state; the verifier counts each of them as a transition. */
byte x;
bool b;

active proctype Paths()
{
	atomic {
		if
		:: x = 1
		:: x = 2
		:: x = 3
		fi;
		x = 0;
		b = true
	}
}
