/* A macro expands to a call of an inline whose body uses another macro. */
#define INC 2
#define ADVANCE(v) go(v, INC)
byte a, b;

inline go(v, k)
{
	v = v + k * INC;
	assert(v % INC == 0)
}

active proctype P()
{
	ADVANCE(a);
	ADVANCE(b);
	ADVANCE(a)
}
