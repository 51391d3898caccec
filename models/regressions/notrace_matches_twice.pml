/* Two statements of the notrace match the same event, and the first one leads away from the forbidden sequence. */
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

notrace {
	if
	:: q ! a; q ! a
	:: q ! a; q ! b
	fi
}
