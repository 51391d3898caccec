/* A client sends its own reply channel along with the question. */
chan ask = [0] of { byte, chan };

active proctype Server()
{
	byte n;
	chan back;

end:	do
	:: ask ? n, back -> back ! n * n
	od
}

active [2] proctype Client()
{
	chan mine = [1] of { byte };
	byte r;

	ask ! _pid + 2, mine;
	mine ? r;
	assert(r == (_pid + 2) * (_pid + 2))
}
