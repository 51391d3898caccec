/*
 * An elevator and the program that steers it and its doors.
 *
 *   -DFLOORS=n   floors, 2 to 8 (2)
 *   -DBROKEN     the cabin is sent away without a look at the doors
 *
 * The cabin goes up and down, and stops at every floor. There it waits until the controller sends it
 * on. The controller collects calls; when the cabin stops where somebody has called, it opens the
 * door of that floor, and it sends the cabin on when all doors are closed.
 *
 *   shut  a door is never open when the cabin does not stand behind it
 *
 * Splits: `--module Controller`, `--module Cabin`.
 *
 * The paper says: an elevator controller with a number of floors, and the property. Assumed here:
 * one cabin, one door and one call button a floor. The controller does not remember where the cabin
 * is, as the published sizes suggest, 3 * 4^n and 12n - 6: its states grow with the calls and doors,
 * those of the cabin with the floors.
 */
#ifndef FLOORS
#define FLOORS 2
#endif
#define NOWHERE FLOORS

chan arrived = [0] of { byte };    /* the cabin stands at this floor */
chan go = [0] of { bit };          /* the cabin may leave */

bool open[FLOORS];
byte at;    /* where the cabin stands, or NOWHERE */

active proctype Controller()
{
	bool called[FLOORS];
	bool standing = true, closed = true;
	byte floor;

	do
	:: atomic {
		select(floor : 0 .. FLOORS - 1);
		called[floor] = true;
		floor = 0
	   }
	:: atomic {
		arrived ? floor ->
		if
		:: called[floor] -> called[floor] = false; open[floor] = true; closed = false
		:: else
		fi;
		standing = true;
		floor = 0
	   }
	:: atomic {
		!closed ->
		for (floor : 0 .. FLOORS - 1) {
			open[floor] = false
		}
		closed = true;
		floor = 0
	   }
#ifdef BROKEN
	:: atomic { standing -> standing = false };
#else
	:: atomic { standing && closed -> standing = false };
#endif
		go ! 1
	od
}

active proctype Cabin()
{
	byte floor;    /* where it is, or has been last */
	bool down;

	do
	:: atomic {
		go ? 1 ->
		at = NOWHERE;
		if
		:: floor == 0 -> down = false
		:: floor == FLOORS - 1 -> down = true
		:: else
		fi
	   }
	   atomic {
		floor = (down -> floor - 1 : floor + 1);
		at = floor
	   }
	   arrived ! floor
	od
}

#define BEHIND(f) (!open[f] || at == f)
#define FIRST_2   BEHIND(0) && BEHIND(1)
#define FIRST_3   FIRST_2 && BEHIND(2)
#define FIRST_4   FIRST_3 && BEHIND(3)
#define FIRST_5   FIRST_4 && BEHIND(4)
#define FIRST_6   FIRST_5 && BEHIND(5)
#define FIRST_7   FIRST_6 && BEHIND(6)
#define FIRST_8   FIRST_7 && BEHIND(7)
#define GLUE(n)   FIRST_##n
#define FIRST(n)  GLUE(n)

ltl shut { [] (FIRST(FLOORS)) }
