/* A process that has finished but cannot disappear yet is in a valid end state. */
byte n;

active proctype Done()
{
	n = 1
}

active proctype Forever()
{
end_wait:
	n == 2
}
