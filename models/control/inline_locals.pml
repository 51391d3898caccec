/* An inline that declares a variable can be used twice in the same body. */
byte out;

inline triple(v)
{
	byte h;
	h = v;
	out = h + h + h
}

active proctype Use()
{
	triple(2);
	assert(out == 6);
	triple(out + 1);
	assert(out == 21)
}
