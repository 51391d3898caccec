/* An atomic that reaches the end of its body: the death of the process is a separate step. */
byte x;

active [3] proctype Short()
{
	atomic {
		x++;
		x++
	}
}
