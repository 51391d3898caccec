/* An endless loop that only the escape can leave. */
byte beats;
bool off;

active proctype Clock()
{
	do
	:: beats < 3 -> beats++
	:: beats == 3 -> beats = 0
	od unless { off };
	assert(off)
}

active proctype Switch()
{
	beats == 2 -> off = true
}
