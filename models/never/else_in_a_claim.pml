/* else is possible where no option before it is. */
byte x;

active proctype P()
{
	do
	:: x < 4 -> x++
	:: x == 4 -> break
	od
}

never falls_out {
	do
	:: x < 3
	:: else -> break
	od
}

never falls_not {
	do
	:: x < 3
	:: x == 3
	:: x == 4
	:: else -> break
	od
}

never nested {
	do
	:: if
	   :: x < 2 -> skip
	   :: else -> break
	   fi
	od
}
