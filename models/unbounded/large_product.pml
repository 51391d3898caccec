/* A violation behind a product of which the embedded solver knows nothing, for values that are not small. */
int x, y;	/*@ parameter x, y */
active proctype P() { x * y > 1000000 -> assert(false) }
