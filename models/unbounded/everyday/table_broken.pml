/* Broken: one mark is wrong. */
int mark[1], key, one;
/*@ unbounded mark[], key; parameter one */

active proctype writer()
{
	do
	:: d_step { mark[key] = 2 * key + (key == 3); key++ }
	od
}

active proctype reader()
{
	do
	:: 0 <= one && one < key -> assert(mark[one] == 2 * one)
	od
}
