/* A record declared below the first statement: its declaration is a step that changes nothing. */
typedef Pair { byte a = 4; short b };
byte rounds;

active proctype P()
{
	do
	:: rounds < 2 ->
		Pair p;
		assert(p.a == 4 + rounds);
		p.a++;
		rounds++
	:: rounds == 2 -> break
	od
}
