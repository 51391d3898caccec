/* A field is used that the record does not have. */
typedef Point { byte x; byte y };
Point p;

active proctype P()
{
	p.x = 1;
	p.z = 2	// error: Point has no field z
}
