byte x;
chan q = [2] of { byte };
byte seen[2];

active [2] proctype P()
{
    byte old;
    old = x;
    printf("read %d\n", old);
    x = old + 1;
    q!x;
    seen[_pid] = x;
    assert(x == 2 || nempty(q) && len(q) < 2)
}
