/* The else inside an atomic is judged in the intermediate state. */
byte lock;
byte fails;

active [2] proctype Try()
{
	byte tries;

	do
	:: atomic {
		if
		:: lock == 0 -> lock = 1; break
		:: else -> fails++
		fi;
		tries++
	   }
	   if
	   :: tries == 2 -> goto leave
	   :: tries < 2
	   fi
	od;
	lock = 0;
leave:	skip
}
