/* Three instances of one proctype and one of another get their pids in the order of the text. */
byte slot[4];

active [3] proctype Row()
{
	slot[_pid] = _pid + 1
}

active proctype Last()
{
	slot[_pid] = 9;
	assert(_pid == 3)
}
