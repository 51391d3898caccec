/* A single process of three skips has five states.
   The death of the process is a step of its own.
   The last state, with no process at all, counts. */

active proctype P()
{
	skip;
	skip;
	skip
}
