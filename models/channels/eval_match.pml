/* With eval a receive takes only messages that equal the value of the expression.
   Each server accepts requests with its own number only. */
chan req = [2] of { byte, byte };
byte served[3];

active [2] proctype Server()
{
	byte from;

	req ? eval(_pid + 1), from;
	served[_pid] = from
}

active proctype Client()
{
	req ! 2, 11;
	req ! 1, 22;
	served[0] == 22 && served[1] == 11;
	served[2] = 1
}
