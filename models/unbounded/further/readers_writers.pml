/* Readers and writers, counted: any number N of processes. */
int N;		/*@ parameter N >= 1 */
int idle, r, w;	/*@ unbounded idle, r, w */

active proctype Processes()
{
	idle = N;
	do
	:: atomic { idle > 0 && w == 0; idle--; r++ }
	:: atomic { r > 0; r--; idle++ }
	:: atomic { idle > 0 && w == 0 && r == 0; idle--; w++ }
	:: atomic { w > 0; w--; idle++ }
	od
}

ltl exclusive { [] (w <= 1 && !(w > 0 && r > 0)) }
