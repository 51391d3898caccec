/* A loop of atomics that is left by the escape as soon as the counter is down. */
byte x;

active [2] proctype P()
{
	atomic { x++; x++ };
	do
	:: atomic { x > 0; x-- }
	od unless { x == 0 }
}
