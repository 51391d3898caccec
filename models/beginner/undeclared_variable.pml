byte counter;

active proctype P()
{
    counter = 1;
    conter = counter + 1
}
