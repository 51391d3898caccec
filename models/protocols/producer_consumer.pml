/* Two producers and two consumers around a buffer of three places; nothing is lost. */
chan buf = [3] of { byte };
byte put, got;

active [2] proctype Producer()
{
	byte i;

	for (i : 1 .. 3) {
		atomic { buf ! i; put = put + i }
	}
}

active [2] proctype Consumer()
{
	byte v, n;

	do
	:: n < 3 -> atomic { buf ? v; got = got + v; n++ }
	:: n == 3 -> break
	od;
	assert(got <= put)
}
