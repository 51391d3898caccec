/* A counter is too small for the sum it has to hold. */
byte sum;

active proctype Add()
{
	byte i;

	for (i : 1 .. 23) {
		sum = sum + i;
		assert(sum >= i)
	}
}
