/* Stop and wait over an unreliable process in the middle; the sender repeats after a timeout. */
chan in = [0] of { byte };
chan out = [0] of { byte };
chan back = [0] of { byte };
byte delivered;

active proctype Sender()
{
	byte n = 1;

	do
	:: n <= 3 ->
		in ! n;
		if
		:: back ? eval(n) -> n++
		:: timeout
		fi
	:: n > 3 -> break
	od
}

active proctype Line()
{
	byte v;

end:	do
	:: in ? v ->
		if
		:: out ! v
		:: skip
		fi
	od
}

active proctype Receiver()
{
	byte v;

end:	do
	:: out ? v ->
		assert(v == delivered || v == delivered + 1);
		delivered = v;
		if
		:: back ! v
		:: timeout
		fi
	od
}
