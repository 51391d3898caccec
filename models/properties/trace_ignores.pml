/* The trace mentions sends on one channel only; events on other channels are of no concern to it. */
chan a = [1] of { byte };
chan b = [0] of { byte };
byte k;

active proctype S()
{
	a ! 1;
	b ! 5;
	a ! 2;
	b ! 6;
	a ! 3
}

active proctype R()
{
end:	do
	:: a ? k
	:: b ? k
	od
}

trace {
	a ! 1;
	a ! 2;
	a ! _
}
