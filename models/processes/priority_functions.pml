/* A process changes its own and another priority while running. */
byte log;

active proctype A() priority 5
{
	assert(get_priority(_pid) == 5);
	assert(_priority == 5);
	log = log * 2 + 1;
	_priority = 3;
	log = log * 2;
	set_priority(_pid, 1);
	log = log * 2
}

active proctype B() priority 4
{
	log = log * 2 + 1;
	set_priority(_pid, 2);
	log = log * 2;
	assert(get_priority(1) == 2)
}
