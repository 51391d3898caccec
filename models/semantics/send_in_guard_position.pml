/* Send and receive as alternative guards on the same buffer by the same process. */
chan q = [2] of { bit };
byte ops;

active proctype P()
{
	do
	:: ops < 4 ->
		if
		:: q ! 0
		:: q ! 1
		:: q ? _
		fi;
		ops++
	:: ops == 4 -> break
	od
}
