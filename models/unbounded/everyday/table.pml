/* Marks in a table that is indexed by unbounded keys: `one` stands for every key. */
int mark[1], key, one;
/*@ unbounded mark[], key; parameter one */

active proctype writer()
{
	do
	:: d_step { mark[key] = 2 * key; key++ }
	od
}

active proctype reader()
{
	do
	:: 0 <= one && one < key -> assert(mark[one] == 2 * one)
	od
}
