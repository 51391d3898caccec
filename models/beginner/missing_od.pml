byte x;

active proctype P()
{
    do
    :: x < 3 -> x++
    :: else -> break
}

active proctype Q()
{
    assert(x < 4)
}
