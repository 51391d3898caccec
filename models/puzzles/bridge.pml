/* Four people with one torch cross a bridge in pairs; the total time is bounded by twenty. */
byte t[4];
bit at[4];
bit torch;
byte clock;

active proctype Bridge()
{
	byte a, b;

	t[0] = 1; t[1] = 2; t[2] = 5; t[3] = 8;
	do
	:: clock <= 15 && !(at[0] && at[1] && at[2] && at[3]) ->
		select(a : 0 .. 3);
		select(b : 0 .. 3);
		if
		:: atomic {
			a <= b && at[a] == torch && at[b] == torch ->
			torch = 1 - torch;
			at[a] = torch;
			at[b] = torch;
			clock = clock + t[b]
		   }
		:: else
		fi;
		atomic { a = 0; b = 0 }
	:: clock > 15 || (at[0] && at[1] && at[2] && at[3]) -> break
	od
}
