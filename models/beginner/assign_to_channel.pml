chan line = [1] of { byte };

active proctype P()
{
    line = 3;
    line!1
}
