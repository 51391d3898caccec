/* One process looks at the control point of another one. */
byte n;

active proctype Walker()
{
	n = 1;
half:	n = 2;
	n = 3;
late:	n = 4
}

active proctype Watcher()
{
	if
	:: atomic { Walker@half -> assert(n == 1) }
	:: timeout
	fi;
	if
	:: atomic { Walker[0]@late -> assert(n == 3) }
	:: timeout
	fi;
	assert(!Walker@half || n == 1)
}
