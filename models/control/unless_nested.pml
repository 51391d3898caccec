/* Two escapes around the same body; when both are enabled the outer one goes first. */
bool in, out;
byte path;

active proctype Body()
{
	{
		{
			path = 1;
			path = 2;
			path = 3
		} unless {
			in -> path = path + 10;
			path = path + 10
		}
	} unless {
		out -> path = path + 100
	};
	assert(path < 124)
}

active proctype Inner() { in = true }
active proctype Outer() { out = true }
