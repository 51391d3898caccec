/* Peterson's algorithm: two processes share a critical section, with nothing
 * but three variables that both can read and write.
 *
 * Each says that it wants to enter, lets the other one go first, and waits
 * until the other does not want to or has let it go first as well.
 */
bool wants[2];
bit last;                   /* who came last has to wait */
byte inside;                /* how many are in the critical section */

active [2] proctype User()
{
    do
    :: wants[_pid] = true;
       last = _pid;
       (!wants[1 - _pid] || last != _pid);
       inside++;
       assert(inside == 1);
       inside--;
       wants[_pid] = false
    od
}

/* The same, said from outside. */
ltl exclusive { [] (inside <= 1) }
