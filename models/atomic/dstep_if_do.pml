/* A deterministic step with a loop and choices inside is a single transition. */
int gcd;
byte seen;

active proctype Euclid()
{
	int a = 84;
	int b = 36;

	d_step {
		do
		:: a > b -> a = a - b
		:: a < b -> b = b - a
		:: else -> break
		od;
		if
		:: a == 12 -> gcd = a
		:: else -> gcd = -1
		fi
	}
	assert(gcd == 12)
}

active proctype Reader()
{
	seen = gcd;
	assert(seen == 0 || seen == 12)
}
