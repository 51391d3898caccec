mtype = { req, ack };
/* One client at a time. */
chan line = [1] of { mtype, byte };
byte owner; bool busy
#define free (busy == 0)

inline take(who) { atomic { free -> busy = 1; owner = who } }

ltl safe { [] (owner < 3) }

active [2] proctype Client()
{
again:
    take(_pid);
    line!req, _pid;
    assert(owner == _pid);
    busy = 0;
    goto again
}

active proctype Server()
{
    byte who;
    do
    :: line?req, who
    od
}
