/* Fischer's protocol for two, with real clocks: every statement takes between lower and upper. */
int lower, upper;	/*@ parameter 0 < lower && lower <= upper && upper < 2 * lower */
byte x;
int c1, c2;	/*@ clock c1, c2 */

/* Time may pass as long as every enabled statement can still be taken in time. */
/*@ progress c1 <= upper || (P1@l0 && x != 0) || (P1@l3 && x != 1) */
/*@ progress c2 <= upper || (P2@l0 && x != 0) || (P2@l3 && x != 2) */

active proctype P1()
{
l0:	atomic { x == 0 && c1 >= lower; c1 = 0 };
l1:	atomic { c1 >= lower; x = 1; c1 = 0 };
l2:	atomic { c1 >= lower; c1 = 0 };
l3:	atomic { x == 1 && c1 >= lower; c1 = 0 };
l4:	atomic { c1 >= lower; x = 0; c1 = 0 };
	goto l0
}

active proctype P2()
{
l0:	atomic { x == 0 && c2 >= lower; c2 = 0 };
l1:	atomic { c2 >= lower; x = 2; c2 = 0 };
l2:	atomic { c2 >= lower; c2 = 0 };
l3:	atomic { x == 2 && c2 >= lower; c2 = 0 };
l4:	atomic { c2 >= lower; x = 0; c2 = 0 };
	goto l0
}

ltl mutex { [] !(P1@l4 && P2@l4) }
