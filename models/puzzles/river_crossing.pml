/* Wolf, goat and cabbage cross a river; the model keeps to the safe states only. */
bit side[4];	/* 0 ferryman, 1 wolf, 2 goat, 3 cabbage */
byte moves;

#define safe (side[2] == side[0] || (side[1] != side[2] && side[3] != side[2]))

inline cross(k)
{
	atomic {
		side[k] == side[0] ->
		side[0] = 1 - side[0];
		side[k] = (k == 0 -> side[0] : 1 - side[k]);
		if
		:: safe
		:: else -> side[0] = 1 - side[0]; side[k] = (k == 0 -> side[0] : 1 - side[k])
		fi
	}
}

active proctype Ferry()
{
end:	do
	:: cross(0)
	:: cross(1)
	:: cross(2)
	:: cross(3)
	:: side[0] && side[1] && side[2] && side[3] -> break
	od
}
