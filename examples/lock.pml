/* A lock server and two clients.
 *
 * A client asks for the lock, waits until the server has lent it, uses what the
 * lock protects, and gives it back. The assertion says that nobody else uses it
 * meanwhile. What has the server to do with that? Ask
 *
 *     resy assume examples/lock.pml --module Server
 */
#define N 2

mtype = { request, release };

chan desk = [0] of { mtype, byte };     /* from the clients to the server */
chan lent[N] = [0] of { bit };          /* from the server to each client */

byte users;                             /* how many use it now */

active [N] proctype Client()
{
    do
    :: desk!request(_pid);
       lent[_pid]?1;
       users++;
       assert(users == 1);
       users--;
       desk!release(_pid)
    od
}

active proctype Server()
{
    byte who;
    byte served;                        /* for the statistics; nobody asks */
    do
    :: desk?request(who);
       lent[who]!1;
       served = (served + 1) % 10;
       desk?release(eval(who))
    od
}
