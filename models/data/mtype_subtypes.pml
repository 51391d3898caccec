/* Named mtype families number their members independently of each other and of the plain mtype.
   Variables, parameters and message fields can have such a type. */
mtype = { plain_a, plain_b };
mtype:fruit = { apple, pear, plum };
mtype:tool = { saw, axe };

mtype:fruit basket = pear;
mtype:tool hand;
mtype other = plain_b;
chan belt = [1] of { mtype:fruit };

active proctype Picker()
{
	mtype:fruit got;

	belt ! plum;
	belt ? got;
	assert(got == plum);
	basket = got;
	assert(apple == 3 && plum == 1);
	hand = axe;
	assert(hand == 1 && saw == 2);
	assert(other == plain_b)
}
