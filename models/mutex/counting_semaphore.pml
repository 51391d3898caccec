/* A counting semaphore with two units shared by three processes. */
byte units = 2;
byte using;

inline acquire(s) { atomic { s > 0 -> s-- } }
inline release(s) { s++ }

active [3] proctype User()
{
	byte k;

	do
	:: k < 2 ->
		acquire(units);
		using++;
		assert(using <= 2);
		using--;
		release(units);
		k++
	:: k == 2 -> break
	od
}
