/* An array may be initialised with one value for all elements or with a list.
   Locals behave the same way. */
byte same[3] = 7;
short list[4] = { 10, 20, 30, 40000 };
int sum;

active proctype Add()
{
	byte own[2] = { 1, 2 };
	byte rest[3];

	assert(same[0] == 7 && same[1] == 7 && same[2] == 7);
	assert(list[0] == 10 && list[1] == 20 && list[2] == 30);
	assert(list[3] == -25536);
	sum = own[0] + 10 * own[1];
	assert(sum == 21);
	assert(rest[0] + rest[1] + rest[2] == 0);
	rest[own[1]] = sum
}
