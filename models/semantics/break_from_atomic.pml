/* A break inside an atomic leaves the loop and the atomic together. */
byte n;
byte seen;

active proctype P()
{
	do
	:: atomic { n < 3 -> n++; n++ }
	:: atomic { n >= 3 -> n = 50; break }
	od;
	n = n + 1
}

active proctype Q()
{
	seen = n
}
