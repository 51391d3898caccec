/* A global that nobody reads still distinguishes states.
   The same holds for an array. */
byte nobody_reads;
short nor_this[2];

active [2] proctype P()
{
	nobody_reads = _pid + 1;
	nor_this[_pid] = -1
}
