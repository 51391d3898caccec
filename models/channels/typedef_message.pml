/* A whole record travels as one message field. */
typedef Packet {
	byte seq;
	bool last;
	short body[2]
};
chan q = [2] of { Packet };

active proctype Out()
{
	Packet p;

	p.seq = 1;
	p.body[0] = -5;
	q ! p;
	p.seq = 2;
	p.last = true;
	p.body[1] = 6;
	q ! p
}

active proctype In()
{
	Packet r;

	q ? r;
	assert(r.seq == 1 && !r.last && r.body[0] == -5);
	q ? r;
	assert(r.seq == 2 && r.last && r.body[0] == -5 && r.body[1] == 6)
}
