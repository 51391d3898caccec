/* Global records get their values after all simple globals, so an initialiser that reads a field sees zero. */
typedef T {
	int a = 5;
	byte b = 3
};
T t;
byte c = t.b + 1;
int d = t.a + 1;

active proctype P()
{
	assert(t.a == 5 && t.b == 3);
	assert(c == 1 && d == 1);
	c = t.b
}
