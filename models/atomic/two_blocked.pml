/* Two processes are blocked in the middle of their atomics and wake each other up. */
byte turn;
byte log;

active proctype Left()
{
	atomic {
		log = log * 2;
		turn == 1;
		log = log * 2 + 1;
		turn = 2;
		turn == 3;
		log = log * 2
	}
}

active proctype Right()
{
	atomic {
		log = log * 3 + 1;
		turn = 1;
		turn == 2;
		log = log * 3;
		turn = 3
	}
}
