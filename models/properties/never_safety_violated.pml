/* Without the atomic the counter can pass three, so the claim comes to its end. */
byte n;

active [2] proctype Up()
{
	do
	:: n < 3 -> n++
	:: n > 0 -> n--
	od
}

never {
	do
	:: n == 4 -> break
	:: n != 4
	od
}
