proctype Worker(byte id; chan from)
{
    from?id
}

chan work = [1] of { byte };

init
{
    run Worker(1)
}
