mtype = { request, grant };
chan desk = [1] of { mtype, byte };

active proctype Client()
{
    desk!request
}

active proctype Server()
{
    byte who;
    desk?request(who)
}
