integer x;

active proctype P()
{
    x = 1
}
