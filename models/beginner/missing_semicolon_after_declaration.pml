byte x
byte y = 2;

active proctype P()
{
    byte z = 1 bool ready;
    x = y + z;
    ready = true
}
