/* The claim asks whether processes could move and where they are. */
bool gate;
byte n;

active proctype Waiter()
{
	n = 1;
	gate -> n = 2
}

active proctype Opener()
{
	n = n + 0;
	gate = true;
	n = n + 0
}

never {
	do
	:: gate && pc_value(0) == 2 && !enabled(0) -> break
	:: else
	od
}
