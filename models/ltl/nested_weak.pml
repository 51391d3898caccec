/* After a request there is no second one until an answer comes. */
bool asked, answered;
byte n;

active proctype Client()
{
	do
	:: n < 2 -> asked = true; n++; answered; answered = false
	:: n == 2 -> break
	od
}

active proctype Server()
{
	do
	:: atomic { asked -> asked = false; answered = true }
	od
}

ltl in_turn { [] (asked -> (! answered) W (! asked)) }
ltl counted { [] (n == 1 -> ((n == 1) W (n == 2))) }
ltl counted_wrong { [] (n == 1 -> ((n == 1) W answered)) }
ltl between { [] (asked -> ((n < 2) W answered)) }
ltl order { (n == 0) W ((n == 1) W (n == 2)) }
