/* Priorities given in the declarations. */
byte log;

active proctype Low() priority 1
{
	log = log * 4 + 1;
	log = log * 2
}

active [2] proctype High() priority 3
{
	log = log * 4 + 2;
	log = log + 1
}

active proctype Check() priority 2
{
	assert(log > 0)
}
