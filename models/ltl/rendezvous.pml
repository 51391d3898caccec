/* A rendezvous is one step: nothing is seen between the two halves. */
chan c = [0] of { byte };
byte sent, got;

active proctype S()
{
	atomic { c!1; sent = 1 };
	c!2;
	sent = 2
}

active proctype R()
{
	c?got;
	c?got
}

ltl received_first { [] (sent <= got) }
ltl together { [] (got == 1 -> sent >= 1) }
ltl last { [] (got <= 2) }
ltl strict { (got == 0) W (sent == 1) }
