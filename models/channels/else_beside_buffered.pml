/* With buffers the else is taken exactly when the send finds a full buffer or the receive an empty one. */
chan q = [1] of { byte };
byte lost, sent, none;

active proctype Put()
{
	do
	:: sent + lost < 3 ->
		if
		:: q ! sent -> sent++
		:: else -> lost++
		fi
	:: sent + lost == 3 -> break
	od
}

active proctype Get()
{
	byte v;

	do
	:: none < 2 ->
		if
		:: q ? v
		:: else -> none++
		fi
	:: none == 2 -> break
	od
}
