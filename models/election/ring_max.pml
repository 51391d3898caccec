/* Election on a one-way ring: only numbers larger than the own one are passed on. */
#define N 4
mtype = { try, won };
chan ring[N] = [2] of { mtype, byte };
byte leader;

active [N] proctype Node()
{
	byte me = (_pid * 3 + 2) % N + 1;
	byte v;

	ring[(_pid + 1) % N] ! try(me);
	do
	:: ring[_pid] ? try(v) ->
		if
		:: v > me -> ring[(_pid + 1) % N] ! try(v)
		:: v < me
		:: v == me -> leader++; assert(me == N); ring[(_pid + 1) % N] ! won(me)
		fi
	:: ring[_pid] ? won(v) ->
		if
		:: v != me -> ring[(_pid + 1) % N] ! won(v)
		:: v == me
		fi;
		break
	od;
	assert(leader == 1)
}
