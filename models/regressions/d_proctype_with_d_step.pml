/* A d_step is not counted as a second move of a D_proctype. */
bool a;
int b;

active proctype P()
{
	a++
}

active D_proctype D()
{
	do
	:: b < 2 -> b++
	:: d_step { b < 2; b = b + 2 }
	:: b >= 2 -> break
	od
}
