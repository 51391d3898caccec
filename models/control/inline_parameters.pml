/* Inlines that call inlines; the parameters are replaced as text. */
byte a = 1;
byte b = 2;
byte t;

inline swap(x, y)
{
	t = x;
	x = y;
	y = t
}

inline rotate(p, q, r)
{
	swap(p, q);
	swap(q, r)
}

active proctype Turn()
{
	byte c = 3;

	rotate(a, b, c);
	assert(a == 2 && b == 3 && c == 1);
	rotate(c, a, b);
	assert(c == 2 && a == 3 && b == 1)
}
