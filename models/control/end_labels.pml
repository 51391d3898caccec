/* A server that waits for ever at a label that starts with end is not a deadlock. */
chan job = [0] of { byte };
byte count;

active proctype Server()
{
	byte v;

end_idle:
	do
	:: job ? v ->
progress_serve:
		count = count + v
	od
}

active proctype Client()
{
	job ! 1;
	job ! 2;
	job ! 3;
end_rest:
	false
}
