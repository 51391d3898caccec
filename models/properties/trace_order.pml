/* Requests and answers alternate on the channels, as the event trace demands. */
mtype = { req, ack };
chan up = [1] of { mtype };
chan down = [1] of { mtype };

active proctype Client()
{
	do
	:: up ! req; down ? ack
	od
}

active proctype Server()
{
	do
	:: up ? req; down ! ack
	od
}

trace {
	do
	:: up ! req; up ? req; down ! ack; down ? ack
	od
}
