/* Beside a handshake send the else is taken only when no receiver is ready. */
chan h = [0] of { byte };
byte missed, met;
bool closed;

active proctype Try()
{
	do
	:: missed < 2 && met < 2 ->
		if
		:: h ! 7 -> met++
		:: else -> missed++
		fi
	:: missed == 2 || met == 2 -> break
	od;
	closed = true
}

active proctype Reader()
{
	do
	:: h ? 7
	:: closed -> break
	od
}
