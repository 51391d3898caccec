/* A correct server whose idle state lacks the end label. */
chan job = [0] of { byte };

active proctype Server()
{
	byte v;

	do
	:: job ? v
	od
}

active proctype Client()
{
	job ! 1;
	job ! 2
}
