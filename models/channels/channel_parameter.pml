/* The same stage runs twice with its ends plugged in differently. */
chan a = [1] of { byte };
chan b = [0] of { byte };
chan c = [1] of { byte };

proctype Stage(chan from, to; byte add)
{
	byte v;

	do
	:: from ? v -> to ! v + add
	:: timeout -> break
	od
}

init {
	byte r;

	atomic {
		run Stage(a, b, 10);
		run Stage(b, c, 100)
	};
	a ! 1;
	a ! 2;
	c ? r;
	assert(r == 111);
	c ? r;
	assert(r == 112)
}
