byte i, sum;

active proctype P()
{
    for (i = 0; i < 3; i++) {
        sum = sum + i
    }
}
