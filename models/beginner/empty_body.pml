active proctype P()
{
}
