/* Jumps, nested selections and a claim with several ways to its end. */
bool red = true, green, amber;

active proctype Light()
{
	do
	:: red -> atomic { red = false; green = true }
	:: green -> atomic { green = false; amber = true }
	:: amber -> atomic { amber = false; red = true }
	od
}

never wrong_order {
start:
	if
	:: red -> goto start
	:: red -> goto after_red
	:: ! red -> goto start
	fi;
after_red:
	if
	:: green -> goto start
	:: amber -> goto wrong
	:: else -> goto after_red
	fi;
wrong:
	skip
}

never two_lamps {
	do
	:: (red && green) || (green && amber) || (red && amber) -> break
	:: else
	od
}

never right_order {
	red; green; amber; red; green
}
