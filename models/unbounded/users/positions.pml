/* Copies through a buffer with positions: at any position k that was read there is what was to be sent. */
int src[1], buf[1], dst[1], w, r, k;
/*@ unbounded src[], buf[], dst[], w, r; parameter k >= 0 */

active proctype writer()
{
	do
	:: d_step { buf[w] = src[w]; w++ }
	od
}

active proctype reader()
{
	do
	:: r < w -> dst[r] = buf[r]; r++
	od
}
ltl copied { [] (k < r -> dst[k] == src[k]) }
