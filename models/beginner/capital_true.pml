bool done;

active proctype P()
{
    done = True
}
