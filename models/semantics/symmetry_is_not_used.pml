/* Three equal processes are distinguished by their numbers.
   Swapping two of them gives another state. */
byte n;

active [3] proctype P()
{
	n++;
	skip;
	n--
}
