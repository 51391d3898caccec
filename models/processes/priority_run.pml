/* A process with a higher priority goes first, and it even breaks into the atomic of the process that started it. */
byte log;

proctype Say(byte n)
{
	log = log * 3 + n
}

init {
	atomic {
		run Say(1) priority 2;
		run Say(2) priority 5;
		run Say(1) priority 2
	};
	assert(log == 16);
	log = 0
}
