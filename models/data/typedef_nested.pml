/* Records inside records, with arrays at both levels.
   Two processes fill different elements, each field has its own width. */
typedef Point {
	short x;
	byte y = 3
};
typedef Shape {
	bool closed;
	Point corner[2];
	unsigned tag : 2
};
Shape s[2];

active [2] proctype Fill()
{
	s[_pid].corner[1].x = s[_pid].corner[0].y - 5;
	assert(s[_pid].corner[1].x == -2);
	s[_pid].tag = 7;
	assert(s[_pid].tag == 3);
	s[_pid].closed = s[_pid].corner[1].y == 3;
	s[_pid].corner[s[_pid].closed].y = 260;
	assert(s[_pid].corner[1].y == 4)
}
