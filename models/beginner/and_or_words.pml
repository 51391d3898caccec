byte x, y;

active proctype P()
{
    (x == 0 and y == 0);
    x = 1
}
