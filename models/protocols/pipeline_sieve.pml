/* A pipeline of filters finds the primes below ten; each filter is started by its predecessor. */
chan found = [4] of { byte };

proctype Filter(chan from; byte p)
{
	chan to = [1] of { byte };
	byte n;
	bool child;

	do
	:: from ? n ->
		if
		:: n == 0 -> break
		:: n > 0 && n % p == 0
		:: n > 0 && n % p != 0 && child -> to ! n
		:: n > 0 && n % p != 0 && !child ->
			child = true;
			found ! n;
			run Filter(to, n)
		fi
	od;
	if
	:: child -> to ! 0
	:: !child
	fi
}

init {
	chan src = [1] of { byte };
	byte i;

	found ! 2;
	run Filter(src, 2);
	for (i : 3 .. 9) { src ! i };
	src ! 0;
	_nr_pr == 1;
	assert(found ?? [7] && !found ?? [9])
}
