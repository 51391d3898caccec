/* Broken: taking a ticket is not atomic. */
int next, serving;
byte inside;
/*@ unbounded next, serving, client:mine */

active [3] proctype client()
{
	int mine;
	do
	:: mine = next; next++;
	   mine == serving;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   serving++
	od
}
