/* Values over a rendezvous channel: the sum of what was sent is the sum of what was received. */
chan c = [0] of { int };
int out, in, v;
/*@ unbounded out, in, v, Q:x */
active proctype P() { do :: v++ ; atomic { c!v; out = out + v } od }
active proctype Q() { int x; do :: c?x; in = in + x od }
ltl no_more { [] (in <= out + v) }
