/* Two statements of the trace match the same event. The trace would allow all of them. */
mtype = { a, b };
chan q = [2] of { mtype };

active proctype Source()
{
	q ! a;
	q ! b
}

active proctype Sink()
{
	q ? a;
	q ? b
}

trace {
	do
	:: q ! a
	:: q ! _
	od
}
