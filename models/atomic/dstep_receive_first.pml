/* A d_step begins with a receive and sends on into a buffer that has room. */
chan src = [1] of { byte };
chan dst = [3] of { byte };

active proctype Src()
{
	src ! 1; src ! 2; src ! 3
}

active proctype Move()
{
	byte v;

	do
	:: d_step { src ? v; v = v * v; dst ! v; v = 0 }
	:: full(dst) -> break
	od;
	dst ? v;
	dst ? v;
	assert(v == 4)
}
