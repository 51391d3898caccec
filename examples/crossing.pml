/* A train crosses a road. The gate is told when a train comes, and closes.
 *
 * There is a mistake in it, on purpose: the train does not wait until the gate
 * is closed. `resy check examples/crossing.pml` shows how a car meets a train.
 */
mtype = { coming, gone };

chan signal = [1] of { mtype };

bool open = true;
bool train, car;            /* who is on the crossing */

active proctype Train()
{
    do
    :: signal!coming;
       train = true;        /* (!open) -> train = true would be safe */
       assert(!car);
       train = false;
       signal!gone
    od
}

active proctype Gate()
{
    do
    :: signal?coming -> atomic { !car -> open = false }
    :: signal?gone -> open = true
    od
}

active proctype Car()
{
    do
    :: atomic { open -> car = true };
       assert(!train);
       car = false
    od
}
