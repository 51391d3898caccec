/* A lock without a test: two processes can stand in the critical section; three cannot. */
byte inside;

active [2] proctype P()
{
	do
	:: inside < 2 ->
		inside++;
critical:	inside--
	od
}

active proctype Watcher()
{
	inside == 2;
seen:	skip
}

ltl exclusive { [] ! (P[0]@critical && P[1]@critical) }
ltl counted { [] (inside <= 2) }
ltl first_seen { (! Watcher@seen) W (P[0]@critical && P[1]@critical) }
ltl seen_late { (! P[0]@critical) W Watcher@seen }
