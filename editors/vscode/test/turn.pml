/* Two workers that shall not count beyond two. One name is wrong, and so is the
   lock: between the test of `busy` and its assignment the other worker runs. */
byte count;
bool busy;

active [2] proctype Worker()
{
    byte seen;
    do
    :: cuont < 2 ->
        !busy;
        busy = true;
        seen = count;
        count = seen + 1;
        busy = false
    :: else -> break
    od
}

ltl bounded { [] (count <= 2) }
