/* A remote reference without a pid means the first process of its type, although there are two. */
byte x;

active [2] proctype Worker()
{
	x = x + _pid + 1;
here:	x > 0;
	x = 7
}

active proctype Watch()
{
	Worker@here;
	assert(x != 2)
}
