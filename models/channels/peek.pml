/* The receive with angle brackets copies the head message and leaves it in the buffer. */
chan q = [2] of { byte, byte };
byte a, b;

active proctype Send()
{
	q ! 3, 30;
	q ! 4, 40
}

active proctype Peek()
{
	q ? <a, b>;
	assert(a == 3 && b == 30);
	q ? <3, b>;
	q ? 3, b;
	q ? <a, b>;
	assert(a == 4 && b == 40 && len(q) == 1);
	a = 0
}
