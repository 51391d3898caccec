/* Subscribers send their channels to a broker, which then sends every news item to all of them. */
chan join = [0] of { chan };
chan news = [0] of { byte };

active proctype Broker()
{
	chan subs[2];
	byte n, i, v;

end:	do
	:: n < 2 -> join ? subs[n]; n++
	:: n == 2 ->
end_news:	news ? v;
		for (i : 0 .. 1) { subs[i] ! v }
	od
}

active [2] proctype Subscriber()
{
	chan mine = [1] of { byte };
	byte a, b;

	join ! mine;
	mine ? a;
	mine ? b;
	assert(a == 1 && b == 2)
}

active proctype Source()
{
	news ! 1;
	news ! 2
}
