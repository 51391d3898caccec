/* The bounded retransmission protocol: a list of N frames, each sent at most MAX times; both sides report. */
#define NONE 0
#define OK 1
#define NOT_OK 2
#define DONT_KNOW 3
int N, MAX;		/*@ parameter N >= 1 && MAX >= 1 */
int src[8], dst[8];	/*@ parameter src[]; unbounded dst[] */
int i, j, m, rn;	/*@ unbounded i, j, m, rn */
int k0;			/*@ parameter k0 */
bit sb, rb, kb, ab;
bool k_full, k_last, a_full;
byte s, srep, rrep;	/* s: 0 next frame, 1 waiting, 2 done */

active proctype Send()
{
send:	atomic { s == 0 && i + 1 < N; k_full = true; kb = sb; k_last = false; m = src[i]; rn = 1; s = 1 };
	goto send
}
active proctype SendLast()
{
send_last: atomic { s == 0 && i + 1 == N; k_full = true; kb = sb; k_last = true; m = src[i]; rn = 1; s = 1 };
	goto send_last
}
active proctype Recv()
{
recv:	atomic {
		k_full && kb == rb && rrep == NONE;
		dst[j] = m; j++; rb = 1 - rb; a_full = true; ab = kb; k_full = false;
		rrep = (k_last -> OK : NONE)
	};
	goto recv
}
active proctype Dup()
{
dup:	atomic { k_full && !(kb == rb && rrep == NONE); a_full = true; ab = kb; k_full = false }; goto dup
}
active proctype Again()
{
again:	atomic {
		s == 1 && !k_full && !a_full && i + 1 < N && rn < MAX;
		k_full = true; kb = sb; k_last = false; m = src[i]; rn++
	};
	goto again
}
active proctype AgainLast()
{
again_last: atomic {
		s == 1 && !k_full && !a_full && i + 1 == N && rn < MAX;
		k_full = true; kb = sb; k_last = true; m = src[i]; rn++
	};
	goto again_last
}
active proctype GiveUp()
{
give_up: atomic { s == 1 && !k_full && !a_full && i + 1 < N && rn >= MAX; srep = NOT_OK; s = 2 };
	goto give_up
}
active proctype GiveUpLast()
{
give_up_last: atomic { s == 1 && !k_full && !a_full && i + 1 == N && rn >= MAX; srep = DONT_KNOW; s = 2 };
	goto give_up_last
}
active proctype Ack()
{
ack:	atomic { s == 1 && a_full && ab == sb && i + 1 < N; i++; sb = 1 - sb; a_full = false; s = 0 };
	goto ack
}
active proctype AckLast()
{
ack_last: atomic { s == 1 && a_full && ab == sb && i + 1 == N; i++; sb = 1 - sb; a_full = false; srep = OK; s = 2 };
	goto ack_last
}
active proctype Abort()
{
abort:	atomic { s == 2 && !k_full && !a_full && rrep == NONE; rrep = NOT_OK }; goto abort
}
active proctype Empty() { empty_list: atomic { s == 0 && i >= N; srep = OK; s = 2 }; goto empty_list }
active proctype LoseK() { lose_k: atomic { k_full; k_full = false }; goto lose_k }
active proctype LoseA() { lose_a: atomic { a_full; a_full = false }; goto lose_a }

/*@ just send, send_last, recv, dup, again, again_last, give_up, give_up_last, ack, ack_last, abort */

ltl prefix { [] (!(0 <= k0 && k0 < j) || dst[k0] == src[k0]) }
ltl reports { [] (srep == NONE || rrep == NONE || (srep == OK && rrep == OK) || (srep == NOT_OK && rrep == NOT_OK)
	|| (srep == DONT_KNOW && (rrep == OK || rrep == NOT_OK))) }
ltl ends { <> (srep != NONE && rrep != NONE) }
