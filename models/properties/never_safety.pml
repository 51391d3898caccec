/* A counter never passes three; the claim would end if it did. */
byte n;

active [2] proctype Up()
{
	do
	:: atomic { n < 3 -> n++ }
	:: atomic { n > 0 -> n-- }
	od
}

never {
	do
	:: n > 3 -> break
	:: else
	od
}
