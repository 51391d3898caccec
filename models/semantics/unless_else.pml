/* An else inside the protected part does not beat the escape. */
bool stop;
byte n;

active proctype P()
{
	do
	:: n == 9 -> skip
	:: else -> n = (n + 1) % 3
	od unless { stop -> n = 7 };
	assert(n == 7)
}

active proctype Q()
{
	n == 2 -> stop = true
}
