active proctype P()
{
    boolean done;
    done = true
}
