/* Two nodes with the same number both believe they have won. */
#define N 3
chan ring[N] = [3] of { byte };
byte leaders;

active [N] proctype Node()
{
	byte me = (_pid == 0 -> 1 : 2);
	byte v;

	ring[(_pid + 1) % N] ! me;
end:	do
	:: ring[_pid] ? v ->
		if
		:: v > me -> ring[(_pid + 1) % N] ! v
		:: v < me
		:: v == me -> leaders++; assert(leaders == 1); break
		fi
	od
}
