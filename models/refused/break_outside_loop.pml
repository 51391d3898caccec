/* A break stands outside of any loop. */
byte x;

active proctype P()
{
	x = 1;
	break;	// error: break outside a loop
	x = 2
}
