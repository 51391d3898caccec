/* Sequence numbers of one byte wrap; the distance stays small. */
byte s, r; int window;
/*@ unbounded s, r; unbounded window */
active proctype P()
{
	do
	:: window < 4 -> d_step { s++; window++ }
	:: window > 0 -> d_step { r++; window-- }
	od
}
ltl near { [] (s == r || window > 0) }
