proctype Worker(byte id)
{
    printf("%d\n", id)
}

init
{
    run Wroker(1)
}
