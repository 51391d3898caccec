byte x;

active proctype P()
{
    atomic {
        x = 1;
        x = 2
}

active proctype Q()
{
    assert(x != 1)
}
