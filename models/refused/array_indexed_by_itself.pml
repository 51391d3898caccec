/* An array is indexed by an element of itself on the left of an assignment. */
byte a[3];
byte i;

active proctype P()
{
	a[a[i]] = 2	// error: an array may not be indexed with itself
}
