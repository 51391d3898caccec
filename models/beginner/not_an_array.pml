byte flag;

active proctype P()
{
    flag[1] = 1
}
