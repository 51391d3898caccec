byte line;

active proctype P()
{
    line!1
}
