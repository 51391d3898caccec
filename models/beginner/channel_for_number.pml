chan lines = [1] of { chan };
chan reply = [1] of { byte };

active proctype P()
{
    lines!7;
    reply!1
}
