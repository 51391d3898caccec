/* Two receivers stand ready for the same handshake; each pairing is one transition. */
chan r = [0] of { byte };
byte who[3];

active proctype Sender()
{
	r ! 1;
	r ! 2
}

active [2] proctype Receiver()
{
	byte v;

	do
	:: r ? v -> who[_pid] = who[_pid] + v
	:: who[1] + who[2] == 3 -> break
	od
}
