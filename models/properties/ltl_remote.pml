/* Exclusion and entrance of a lock, stated with labels of the processes. */
#define in0 (Locker[0]@inside)
#define in1 (Locker[1]@inside)
bit held;

active [2] proctype Locker()
{
	do
	:: atomic { held == 0 -> held = 1 };
inside:	   held = 0
	od
}

ltl exclusive { [] !(in0 && in1) }
ltl enters { [] <> (in0 || in1) }
