byte x;

active proctype P()
{
    printf("x is %d and y is %d\n", x)
}
