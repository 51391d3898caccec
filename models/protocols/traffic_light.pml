/* Two lights at a crossing hand the right of way to each other. */
mtype = { red, green, amber };
mtype light[2] = red;
chan pass = [0] of { bit };

active [2] proctype Light()
{
	if
	:: _pid == 1 -> pass ? _
	:: _pid == 0
	fi;
	do
	:: light[_pid] = green;
	   assert(light[1 - _pid] == red);
	   light[_pid] = amber;
	   light[_pid] = red;
	   pass ! 1;
	   pass ? 1
	od
}
