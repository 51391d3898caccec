/* Two caches keep a line modified, shared or invalid with the help of a directory. */
mtype = { inv, shd, mod };
mtype = { rd, wr };
chan req = [0] of { mtype, byte };
mtype line[3] = inv;

active proctype Directory()
{
	byte who, i;
	mtype op;

end:	do
	:: req ? op(who) ->
		d_step {
			i = 0;
			do
			:: i < 3 && i != who ->
				if
				:: op == wr -> line[i] = inv
				:: op == rd && line[i] == mod -> line[i] = shd
				:: else
				fi;
				i++
			:: i < 3 && i == who -> i++
			:: i == 3 -> break
			od;
			line[who] = (op == wr -> mod : shd);
			i = 0; who = 0; op = 0
		};
		assert(!(line[0] == mod && line[1] != inv));
		assert(!(line[1] == mod && line[2] != inv));
		assert(!(line[2] == mod && line[0] != inv))
	od
}

active [3] proctype Cache()
{
	byte me = _pid - 1;

end:	do
	:: line[me] == inv -> req ! rd(me)
	:: line[me] != mod -> req ! wr(me)
	:: line[me] = inv
	od
}
