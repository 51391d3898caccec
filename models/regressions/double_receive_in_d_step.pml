/* A variable may receive two fields inside a d_step: the later field stays. */
chan c = [2] of { byte, byte };
byte v;

active proctype P()
{
	c!3,4;
	d_step {
		c?v,v;
		assert(v == 4)
	}
}
