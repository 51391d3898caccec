/* A timeout inside an atomic waits until all the others are blocked. */
byte n;

active proctype P()
{
	atomic {
		n = n + 1;
		timeout;
		n = n + 10
	}
}

active proctype Q()
{
	n = n * 2;
	n > 5;
	n = 0
}
