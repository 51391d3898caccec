/* A lift for four floors serves requests in its direction before it turns. */
#define N 4
mtype = { up, down };
bool call[N];
byte floor;
bool door;
mtype dir = up;

active proctype Lift()
{
	do
	:: call[floor] -> door = true; call[floor] = false; door = false
	:: !call[floor] && dir == up && floor < N - 1 -> assert(!door); floor++
	:: !call[floor] && dir == down && floor > 0 -> assert(!door); floor--
	:: dir == up && floor == N - 1 -> dir = down
	:: dir == down && floor == 0 -> dir = up
	od
}

active proctype People()
{
	byte f;

	do
	:: select(f : 0 .. 3); call[f] = true
	od
}
