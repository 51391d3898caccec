/* A message is sent to a variable that is no channel. */
byte x;

active proctype P()
{
	x ! 3	// error: x is not a channel
}
