/* A handshake happens only when the constants and evaluated fields of the receiver fit. */
mtype = { get, put };
chan port = [0] of { mtype, byte };
byte cell = 5;

active proctype Cell()
{
	byte v;

end:	do
	:: port ? put(v) -> cell = v
	:: port ? get(eval(cell)) -> skip
	od
}

active proctype User()
{
	port ! get(5);
	port ! put(8);
	port ! get(8);
	assert(cell == 8)
}
