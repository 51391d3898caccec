proctype Worker(byte id)
{
    printf("%d\n", id)
}

init
{
    Worker(1)
}
