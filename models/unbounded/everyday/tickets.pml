/* Three clients draw numbers from a dispenser; the desk serves in order. Several processes of one proctype, atomic. */
int next, serving;
byte inside;
/*@ unbounded next, serving, client:mine */

active [3] proctype client()
{
	int mine;
	do
	:: atomic { mine = next; next++ }
	   mine == serving;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   serving++
	od
}
