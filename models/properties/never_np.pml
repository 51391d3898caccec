/* The claim written by hand says that a run without progress exists: the lazy loop. */
byte n;

active proctype Mix()
{
	do
	:: n < 2 -> n++
	:: n == 2 ->
progress:	n = 0
	:: n > 0 -> n--
	od
}

never {
	do
	:: np_ -> goto accept_lazy
	:: true
	od;
accept_lazy:
	do
	:: np_
	od
}
