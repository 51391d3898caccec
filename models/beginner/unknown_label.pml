byte x;

active proctype P()
{
again:
    x++;
    goto agian
}
