byte flag[2];

active proctype P()
{
    flag = 1
}
