/* A blocked process does not hold back the lower ones. */
bool go;
byte log;

active proctype High() priority 9
{
	go;
	log = log * 2 + 1;
	log = log * 2 + 1
}

active proctype Low() priority 2
{
	log = 1;
	go = true;
	assert(log == 7);
	log = 0
}
