/* An unless inside an option of a loop, whose escape is a loop exit. */
byte n;
bool quit;

active proctype P()
{
	do
	:: n < 3 ->
		{ skip; n++ } unless { quit -> break }
	:: n == 3 -> n = 0
	od;
	n = 10
}

active proctype Q()
{
	quit = true
}
