/* Two processes take two locks in opposite order. */
bit a, b;

inline lock(m) { atomic { m == 0 -> m = 1 } }

active proctype P()
{
	lock(a); lock(b); b = 0; a = 0
}

active proctype Q()
{
	lock(b); lock(a); a = 0; b = 0
}
