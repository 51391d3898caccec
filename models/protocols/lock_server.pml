/* Two clients and a server that lends something to one of them at a time. Messages to the
   server wait at its desk, where it looks for what it needs; a grant is handed over. */
mtype = { request, release };
chan desk = [2] of { mtype, byte };
chan grant[2] = [0] of { bool };
bool in_use;

active [2] proctype Client()
{
end_idle:
	do
	:: desk ! request(_pid);
	   grant[_pid] ? true;
	   assert(!in_use);
	   in_use = true;
	   in_use = false;
	   desk ! release(_pid)
	od
}

active proctype Server()
{
	byte user;
end_free:
	do
	:: desk ?? request(user);
	   grant[user] ! true;
	   desk ?? release(eval(user))
	od
}
