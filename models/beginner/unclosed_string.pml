active proctype P()
{
    printf("hello\n);
}
