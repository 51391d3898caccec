/* Mutual exclusion for two after Dekker: politely step back when it is not your turn. */
bool flag[2];
byte turn;
byte inside;

active [2] proctype User()
{
	byte me = _pid;
	byte you = 1 - _pid;

again:
	flag[me] = true;
	do
	:: flag[you] ->
		if
		:: turn == you ->
			flag[me] = false;
			turn == me;
			flag[me] = true
		:: else
		fi
	:: else -> break
	od;
	inside++;
	assert(inside == 1);
	inside--;
	turn = you;
	flag[me] = false;
	goto again
}
