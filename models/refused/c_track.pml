/* Tracking of C data is refused. */
int x;
c_track "&outside" "sizeof(int)"	// error: embedded C (c_track) is not supported

active proctype P()
{
	x = 1
}
