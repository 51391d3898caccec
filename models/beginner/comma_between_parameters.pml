proctype Worker(byte id, byte n)
{
    printf("%d %d\n", id, n)
}

init
{
    run Worker(1, 2)
}
