/* N registers of 32 bits; each process stirs its neighbour's register into its own
   with a linear congruence, STEPS times. Every order of the steps gives other
   numbers: the states share nothing and do not compress. */
#ifndef N
#define N 3
#endif
#ifndef STEPS
#define STEPS 4
#endif

int word[N];

active [N] proctype Mixer() {
  byte n;
  int other;
  word[_pid] = 48271 * (_pid + 1) + 11;
  do
  :: d_step {
       n < STEPS ->
       other = word[(_pid + 1) % N];
       word[_pid] = (word[_pid] * 1103515245 + 12345) ^ (other >> 7);
       other = 0; n++
     }
  :: n == STEPS -> break
  od
}
