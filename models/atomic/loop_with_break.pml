/* A loop inside an atomic draws a number by going round an arbitrary number of times. */
byte n;
byte sum;

active [2] proctype Draw()
{
	atomic {
		n = 0;
		do
		:: n < 3 -> n++
		:: break
		od;
		sum = sum + n
	}
	assert(sum <= 6)
}
