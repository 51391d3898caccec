/* Local variables seen from outside, also of a process that is not there: it counts as 0. */
bool over;

proctype Worker(byte limit)
{
	byte done;
	do
	:: done < limit -> done++
	:: else -> break
	od
}

init
{
	run Worker(2);
	skip;
	over = true
}

ltl at_most { [] (Worker:done <= 2) }
ltl at_most_one { [] (Worker:done <= 1) }
ltl by_pid { [] (Worker[1]:done <= Worker[1]:limit) }
ltl nothing_before { (Worker:done == 0) W (Worker:limit == 2) }
ltl never_zero_again { [] (Worker:done == 2 -> [] (Worker:done == 2)) }
