/* Steps of two keep a number even. */
int x; bool odd;
/*@ unbounded x */
active proctype P()
{
	do
	:: x = x + 2
	:: x = x - 4
	:: d_step { odd = (x % 2); assert(!odd) }
	od
}
