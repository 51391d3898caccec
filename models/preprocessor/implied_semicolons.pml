/* After a closing brace or a closing keyword the separator may be missing. */
byte n

active proctype P()
{
	byte k

	if
	:: n == 0 -> k = 1
	:: n == 1 -> k = 2
	fi
	do
	:: k > 0 -> k--
	:: k == 0 -> break
	od
	atomic {
		n = 1
		k = 4
	}
	d_step { k = k + n; n = 0 }
	{
		n = 2
	}
	assert(k == 5)
	n = 3
}
