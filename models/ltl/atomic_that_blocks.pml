/* Where an atomic blocks in the middle, its state is looked at. */
byte x;
bool go;

active proctype P()
{
	atomic { x = 1; go; x = 2 };
	x = 3
}

active proctype Q()
{
	x > 0;
	go = true
}

ltl hidden_part { [] (x != 1) }
ltl blocked { [] (x == 1 -> ! go) }
ltl passed { [] (go -> x != 0) }
