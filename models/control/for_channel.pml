/* The form with in over a channel receives every message and sends it again, so the buffer turns once round. */
typedef Item {
	byte key;
	byte val
};
chan shelf = [3] of { Item };
byte sum;

active proctype Fill()
{
	Item it;

	it.key = 1; it.val = 10;
	shelf ! it;
	it.key = 2; it.val = 20;
	shelf ! it;
	for (it in shelf) {
		sum = sum + it.key * it.val
	}
	assert(sum == 50 && len(shelf) == 2);
	shelf ? it;
	assert(it.key == 1)
}
