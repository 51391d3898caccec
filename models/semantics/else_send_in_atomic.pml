/* Inside an atomic a selection with a handshake send and an else, with a reader that may or may not be there yet. */
chan h = [0] of { byte };
byte x;

active proctype Try()
{
	byte k;

	do
	:: k < 2 ->
		atomic {
			x++;
			if
			:: h ! x -> x = x + 4
			:: else -> x = x + 1
			fi;
			k++
		}
	:: k == 2 -> break
	od
}

active proctype Reader()
{
	byte v;

	skip;
	if
	:: h ? v -> assert(v > 0)
	:: timeout
	fi
}
