/* The rescuer wrongly believes that the work is over when nothing moves. */
byte work;
bool go;

active proctype Worker()
{
	work = 1;
	go -> work = 2
}

active proctype Rescuer()
{
	timeout -> assert(work == 2);
	go = true
}
