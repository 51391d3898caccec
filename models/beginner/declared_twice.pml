byte x;

active proctype P()
{
    byte x = 1;
    assert(x == 1)
}
