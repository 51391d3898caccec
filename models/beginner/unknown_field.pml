typedef Point { byte x; byte y };
Point p;

active proctype P()
{
    p.z = 1
}
