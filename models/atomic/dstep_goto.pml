/* Jumps inside a d_step are fine as long as they stay inside. */
byte i;
byte odd;

active proctype Hop()
{
	d_step {
		i = 0;
next:		i++;
		if
		:: i % 2 == 0 -> goto check
		:: else -> odd = odd + i
		fi;
check:
		if
		:: i < 9 -> goto next
		:: else
		fi
	}
	assert(odd == 25);
	i = 0
}
