/* A byte steps by 48 until it comes back to zero, so it must wrap at 256.
   Going below zero gives 255. */
byte x;
byte low;

active proctype Count()
{
	do
	:: x = x + 48;
	   if
	   :: x == 0 -> break
	   :: x != 0 -> skip
	   fi
	od;
	low = low - 1;
	assert(low == 255);
	low = -2;
	assert(low == 254)
}
