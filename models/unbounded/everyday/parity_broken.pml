/* Broken: a step of three. */
int x; bool odd;
/*@ unbounded x */
active proctype P()
{
	do
	:: x = x + 2
	:: x = x - 3
	:: d_step { odd = (x % 2); assert(!odd) }
	od
}
