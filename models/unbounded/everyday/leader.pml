/* Lamport clocks of two processes: a message carries the clock. */
chan ab = [1] of { int }; chan ba = [1] of { int };
int ca, cb;
/*@ unbounded ca, cb, A:m, B:m */
active proctype A() { int m; do :: nfull(ab) -> d_step { ca++; ab!ca } :: d_step { ba?m; ca = (m > ca -> m : ca) + 1; assert(ca > m) } od }
active proctype B() { int m; do :: nfull(ba) -> d_step { cb++; ba!cb } :: d_step { ab?m; cb = (m > cb -> m : cb) + 1; assert(cb > m) } od }
