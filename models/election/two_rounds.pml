/* Election in phases: an active node survives when its left neighbour's number is larger than both others. */
#define N 3
mtype = { one, two };
chan ring[N] = [2] of { mtype, byte };
byte leaders;

active [N] proctype Node()
{
	byte mine = (_pid + 1) % N + 1;
	byte left, far, v;
	mtype m;

	ring[(_pid + 1) % N] ! one(mine);
active_phase:
	ring[_pid] ? one(left);
	if
	:: left == mine -> leaders++; assert(leaders == 1); goto over
	:: else
	fi;
	ring[(_pid + 1) % N] ! two(left);
	ring[_pid] ? two(far);
	if
	:: left > mine && left > far ->
		mine = left;
		ring[(_pid + 1) % N] ! one(mine);
		goto active_phase
	:: else
	fi;
end_passive:
	do
	:: ring[_pid] ? m(v) -> ring[(_pid + 1) % N] ! m(v)
	od;
over:	skip
}
