/* A server that counts the requests, and a bound that is too small. */
mtype = { request, reply };
chan wire = [0] of { mtype };

active proctype Client() {
    do
    :: wire ! request; wire ? reply
    od
}

active proctype Server() {
    byte served;
    do
    :: wire ? request;
       served++;
       assert(served < 5);
       wire ! reply
    od
}
