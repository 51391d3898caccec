/* A buffer of any size: items are numbered, and never more than SIZE are in it. */
int SIZE;	/*@ parameter SIZE >= 1 */
int in, out;	/*@ unbounded in, out */

active proctype Producer() { do :: in - out < SIZE -> in++ od }
active proctype Consumer() { do :: in - out > 0 -> out++ od }

ltl within { [] (0 <= in - out && in - out <= SIZE) }
