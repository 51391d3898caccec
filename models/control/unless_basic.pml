/* When the escape becomes executable the main sequence cannot move any more. */
byte n;
bool alarm;

active proctype Main()
{
	{
		n = 1;
		n = 2;
		n = 3
	} unless {
		alarm -> n = n + 10
	};
	n = n + 1
}

active proctype Bell()
{
	alarm = true
}
