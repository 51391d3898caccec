/* A record is updated field by field while another process reads it. */
typedef Pair { byte a; byte b };
Pair p;

active proctype Writer()
{
	byte k;

	do
	:: k < 3 -> k++; p.a = k; p.b = k
	:: k == 3 -> break
	od
}

active proctype Reader()
{
	assert(p.a == p.b);
	assert(p.a >= p.b)
}
