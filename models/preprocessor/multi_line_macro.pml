/* A macro of several lines that stands for a piece of a loop. */
#define LOCK(m) \
	atomic {        \
		m == 0 -> \
		m = 1     \
	}
#define UNLOCK(m) m = 0
#define STEP(v, lim) \
	:: v < lim -> \
		LOCK(mutex); \
		v++; \
		UNLOCK(mutex)

bit mutex;
byte x, y;

active proctype A()
{
	do
	STEP(x, 3)
	:: x == 3 -> break
	od
}

active proctype B()
{
	do
	STEP(y, 2)
	:: y == 2 -> break
	od
}
