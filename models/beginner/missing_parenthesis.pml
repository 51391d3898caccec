byte x;

active proctype P()
{
    assert(x == 0;
    x = 1
}
