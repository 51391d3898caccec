/* The sender may send twice in a row, which the event trace forbids. */
mtype = { req };
chan up = [2] of { mtype };
byte n;

active proctype Client()
{
	do
	:: n < 3 -> up ! req; n++
	:: n == 3 -> break
	od
}

active proctype Server()
{
end:	do
	:: up ? req
	od
}

trace {
end_even:
	do
	:: up ! req;
end_odd:   up ? req
	od
}
