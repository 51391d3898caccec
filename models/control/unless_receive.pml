/* The escape is a receive from a buffer: the interrupt handler takes the message and gives up the work. */
mtype = { halt };
chan irq = [1] of { mtype };
byte work;

active proctype Cpu()
{
	do
	:: work < 6 -> work++
	:: work == 6 -> break
	od unless {
		irq ? halt -> work = 100
	}
}

active proctype Device()
{
	if
	:: irq ! halt
	:: skip
	fi
}
