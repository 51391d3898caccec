/* A selection that is itself the guard of an option is executable when one of its guards is. */
byte a, b;

active proctype Move()
{
	do
	:: if
	   :: a < 2 -> a++
	   :: b < 2 -> b++
	   fi;
	   skip
	:: if
	   :: a == 2 && b == 2 -> break
	   fi
	od;
	a = 0
}

active proctype Other()
{
	if
	:: a == 1 && b == 1
	:: timeout -> b = 7
	fi
}
