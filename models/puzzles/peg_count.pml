/* Pegs in a row of nine holes jump over their neighbours, encoded in the bits of one number. */
short row;

active proctype Solitaire()
{
	byte k;

	row = 503;
end:	do
	:: atomic {
		select(k : 0 .. 6);
		if
		:: (row >> k & 7) == 3 -> row = row ^ (7 << k)
		:: (row >> k & 7) == 6 -> row = row ^ (7 << k)
		:: else
		fi;
		k = 0
	   }
	od
}
