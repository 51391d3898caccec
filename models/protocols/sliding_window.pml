/* A sliding window of size two with sequence numbers modulo three and cumulative acknowledgements. */
#define M 3
chan line = [2] of { byte, byte };
chan acks = [1] of { byte };

active proctype Sender()
{
	byte base, out, a;

	do
	:: out < 2 -> line ! (base + out) % M, 7; out++
	:: acks ? a ->
		do
		:: out > 0 && base != a -> base = (base + 1) % M; out--
		:: else -> break
		od
	:: out > 0 && empty(line) && empty(acks) -> out = 0
	od
}

active proctype Receiver()
{
	byte want, s, d;

	do
	:: line ? s, d ->
		assert(d == 7);
		if
		:: s == want -> want = (want + 1) % M
		:: else
		fi;
		if
		:: acks ! want
		:: full(acks)
		fi
	od
}
