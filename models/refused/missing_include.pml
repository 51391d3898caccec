/* The included file does not exist. */
#include "nowhere.inc"	// error: cannot find nowhere.inc
byte x;

active proctype P()
{
	x = 1
}
