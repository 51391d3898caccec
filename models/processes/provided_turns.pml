/* A provided clause lets the two processes move strictly in turns. */
bit turn;
byte n;

active proctype Even() provided (turn == 0)
{
	do
	:: n < 5 -> n++; turn = 1
	:: n >= 5 -> turn = 1; break
	od
}

active proctype Odd() provided (turn == 1)
{
	do
	:: n < 5 -> n++; turn = 0
	:: n >= 5 -> turn = 0; break
	od
}

active proctype Release()
{
	if
	:: timeout -> turn = !turn
	fi;
	if
	:: timeout -> turn = !turn
	:: _nr_pr > 0
	fi
}
