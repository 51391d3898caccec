/* Broken: the rest of the red phase may be just as long as the walk, which may end after it. */
mtype = { red, green };
mtype light = green;
int Red, Walk, phase, walk;
bool crossing;
/*@ parameter 0 < Walk && Walk < Red;
    clock phase, walk;
    progress walk <= Walk || !crossing */

active proctype timer()
{
	do
	:: d_step { light == green && phase >= 1 -> light = red; phase = 0 }
	:: d_step { light == red && phase >= Red -> light = green; phase = 0 }
	od
}

active proctype pedestrian()
{
	do
	:: d_step { light == red && phase <= Red - Walk -> crossing = true; walk = 0 };
		crossing = false
	od
}
ltl safe { [] !(crossing && light == green) }
