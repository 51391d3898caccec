chan numbers = [2] of { byte };

active proctype P()
{
    byte a, b;
    numbers!1;
    numbers?a,b
}
