/* When everything is blocked both waiting processes may use the timeout; one of them also tests a condition. */
byte n;

active proctype A()
{
	do
	:: timeout && n < 2 -> n++
	:: n == 2 -> break
	od
}

active proctype B()
{
	if
	:: timeout -> n = 2
	:: n == 2
	fi
}
