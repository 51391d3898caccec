/* The process of the highest priority moves first; among equals all orders are possible. */
byte log;

active proctype A() priority 2 { log = log * 3 + 1 }
active proctype B() priority 5 { log = log * 3 + 2 }
active proctype C() priority 2 { log = log * 3 + 1 }

active proctype D() priority 1
{
	assert(log == 22);
	log = 0
}
