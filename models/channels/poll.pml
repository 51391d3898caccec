/* A poll tests the head of the buffer without taking the message and without assigning a variable. */
chan q = [2] of { byte, byte };
byte hits;
byte v = 7;

active proctype Sender()
{
	q ! 1, 5;
	q ! 2, 6
}

active [2] proctype Poller()
{
	do
	:: atomic { q ? [1, v] -> q ? 1, v; hits++; assert(v == 5) }
	:: atomic { q ? [2, v] -> q ? 2, v; hits++; assert(v == 6) }
	:: hits == 2 -> break
	od;
	assert(!q ? [1, v])
}
