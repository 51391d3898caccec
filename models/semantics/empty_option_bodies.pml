/* Options that are only a guard lead straight behind the selection. */
byte n;

active [2] proctype P()
{
	if
	:: n == 0
	:: n == 1
	:: n >= 1
	fi;
	n++;
	do
	:: n > 5 -> break
	:: n <= 5 -> n++
	od
}
