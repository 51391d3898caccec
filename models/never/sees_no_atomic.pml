/* A claim does not see the inside of a block of the system, but a block that waits. */
byte x;
bool go;

active proctype P()
{
	atomic { x = 1; x = 2; go; x = 3 };
	d_step { x = 4; x = 5 }
}

active proctype Q()
{
	x == 2;
	go = true
}

never inside { do :: x == 1 -> break :: else od }
never waiting { do :: x == 2 -> break :: else od }
never waiting_and_go { do :: x == 2 && go -> break :: else od }
never in_d_step { do :: x == 4 -> break :: else od }
never after { do :: x == 5 -> break :: else od }
