/* Two clients number their requests, which get lost. The server repeats its last answer to whatever is not new.
 * Broken: it answers with the number that it expects next. */
chan requests[2] = [1] of { int };
chan answers[2] = [1] of { int };
/*@ unbounded client:seq, client:got, server:n, server:last0, server:last1 */

proctype client(byte me)
{
	int seq = 1, got;

	do
	:: requests[me]!seq
	:: answers[me]?got ->
		assert(got <= seq);
		if
		:: got == seq -> seq++
		:: else
		fi
	od
}

proctype server()
{
	int n, last0, last1;

	do
	:: requests[0]?n ->
		if
		:: n == last0 + 1 -> last0 = n
		:: else
		fi;
		answers[0]!last0 + 1
	:: requests[1]?n ->
		if
		:: n == last1 + 1 -> last1 = n
		:: else
		fi;
		answers[1]!last1 + 1
	od
}

proctype loss()
{
	do
	:: requests[0]?_
	:: requests[1]?_
	:: answers[0]?_
	:: answers[1]?_
	od
}

init
{
	atomic {
		run client(0);
		run client(1);
		run server();
		run loss()
	}
}
