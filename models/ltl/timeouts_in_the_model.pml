/* The model waits for timeout; formulas see the states before and after. */
byte x;

active proctype P()
{
	x = 1;
	timeout -> x = 2;
	timeout -> x = 3
}

ltl order { (x < 2) W (x == 2) }
ltl order_wrong { (x < 1) W (x == 2) }
ltl bound { [] (x < 4) }
