inline enter()
{
    skip
}

active proctype P()
{
    entre()
}
