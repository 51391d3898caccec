/* The else is taken when the head of the buffer does not match any of the receives. */
mtype = { ping, pong, other };
chan q = [2] of { mtype };
byte strange;

active proctype Gen()
{
	do
	:: q ! ping
	:: q ! other
	:: strange > 1 -> break
	od
}

active proctype Filter()
{
	do
	:: strange > 2 -> break
	:: nempty(q) && strange <= 2 ->
		if
		:: q ? ping
		:: q ? pong
		:: else -> q ? other; strange++
		fi
	:: timeout -> break
	od
}
