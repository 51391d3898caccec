/* Two anonymous processes flip coins until they differ; exactly one wins. */
byte coin[2] = 2;
byte winner;

active [2] proctype Flipper()
{
flip:
	if
	:: coin[_pid] = 0
	:: coin[_pid] = 1
	fi;
	coin[1 - _pid] != 2 || winner > 0;
	if
	:: atomic { winner == 0 && coin[_pid] == 1 && coin[1 - _pid] == 0 -> winner = _pid + 1 }
	:: atomic { winner == 0 && coin[_pid] == 0 && coin[1 - _pid] == 1 -> winner = 2 - _pid }
	:: winner == 0 && coin[_pid] == coin[1 - _pid] -> goto flip
	:: winner > 0
	fi;
	assert(winner == 1 || winner == 2)
}
