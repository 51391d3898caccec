/* The alternating bit protocol with acknowledgements that are only just: they may get lost for ever. */
int src[8], dst[8];	/*@ parameter src[]; unbounded dst[] */
int i, j, m;		/*@ unbounded i, j, m */
int k0;			/*@ parameter k0 */
bit sb, rb, kb, ab;
bool k_full, a_full;

active proctype Send()  { send: atomic { true; k_full = true; kb = sb; m = src[i] }; goto send }
active proctype LoseK() { lose_k: atomic { k_full; k_full = false }; goto lose_k }
active proctype LoseA() { lose_a: atomic { a_full; a_full = false }; goto lose_a }
active proctype Recv()
{
recv:	atomic { k_full && kb == rb; dst[j] = m; j++; rb = 1 - rb; a_full = true; ab = kb; k_full = false };
	goto recv
}
active proctype Dup() { dup: atomic { k_full && kb != rb; a_full = true; ab = kb; k_full = false }; goto dup }
active proctype Ack() { ack: atomic { a_full && ab == sb; i++; sb = 1 - sb; a_full = false }; goto ack }
active proctype Old() { old: atomic { a_full && ab != sb; a_full = false }; goto old }

/*@ just send, ack; compassionate recv, dup, old */

ltl prefix { [] (!(0 <= k0 && k0 < j) || dst[k0] == src[k0]) }
ltl progress { [] ((sb == 0) -> <> (sb == 1)) }
