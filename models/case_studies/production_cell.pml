/*
 * A production cell: a robot and a press with its lifts and belts, steered by two programs.
 *
 *   -DCOMPONENTS=n   the first n of the list below, 2 to 12 (2)
 *   -DBROKEN         the robot reports that an arm has left before it moves it
 *
 *    1  press                          Plant
 *    2  arm that feeds the press       Robot
 *    3  lift that brings blanks        Plant
 *    4  gripper of the feeding arm     Robot
 *    5  lift that takes plates away    Plant
 *    6  arm that empties the press     Robot
 *    7  gripper of the emptying arm    Robot
 *    8  belt that feeds the lift       Plant
 *    9  belt that takes the plates     Plant
 *   10  arm that oils the press        Robot
 *   11  gripper of the oiling arm      Robot
 *   12  turntable with oil cans        Plant
 *
 * An arm enters the press with the plant's permission, and reports when it is out again. The press
 * works only while no arm has a permission.
 *
 *   clear  no arm is in the press while it works
 *
 * Splits: `--module Robot`, `--module Plant`.
 *
 * The paper says: two concurrent programs control a plant of robot arms, a press, lifts and grippers;
 * the parameter is the number of components; no arm is within the press when it starts working.
 * Assumed here: which components there are, in which order they come, who steers which, and what
 * they do. A part moves freely as long as its neighbours are missing.
 */
#ifndef COMPONENTS
#define COMPONENTS 2
#endif

#if COMPONENTS >= 10
#define ARMS 3
#elif COMPONENTS >= 6
#define ARMS 2
#else
#define ARMS 1
#endif

chan enter = [0] of { byte };    /* an arm asks for permission */
chan leave = [0] of { byte };    /* and gives it back */
#if COMPONENTS >= 4
chan pick = [0] of { bool };     /* takes a blank from the lift, */
#endif
#if COMPONENTS >= 7
chan put = [0] of { bool };      /* puts a plate on the other lift, */
#endif
#if COMPONENTS >= 12
chan turn = [0] of { bool };     /* takes oil from the turntable */
#endif

bool inside[ARMS];
bool working;

inline go_in(arm)
{
	enter ! arm;
	inside[arm] = true
}

inline go_out(arm)
{
#ifdef BROKEN
	leave ! arm;
	inside[arm] = false
#else
	inside[arm] = false;
	leave ! arm
#endif
}

active proctype Robot()
{
#if COMPONENTS >= 4
	bool holding[ARMS];
#endif

	do
#if COMPONENTS < 4
	:: !inside[0] -> go_in(0)
	:: inside[0] -> go_out(0)
#else
	:: !inside[0] && !holding[0] -> pick ! true; holding[0] = true
	:: !inside[0] && holding[0] -> go_in(0)
	:: inside[0] && holding[0] -> holding[0] = false
	:: inside[0] && !holding[0] -> go_out(0)
#endif

#if COMPONENTS == 6
	:: !inside[1] -> go_in(1)
	:: inside[1] -> go_out(1)
#elif COMPONENTS >= 7
	:: !inside[1] && !holding[1] -> go_in(1)
	:: inside[1] && !holding[1] -> holding[1] = true
	:: inside[1] && holding[1] -> go_out(1)
	:: !inside[1] && holding[1] -> put ! true; holding[1] = false
#endif

#if COMPONENTS == 10
	:: !inside[2] -> go_in(2)
	:: inside[2] -> go_out(2)
#elif COMPONENTS >= 11
#if COMPONENTS >= 12
	:: !inside[2] && !holding[2] -> turn ! true; holding[2] = true
#else
	:: !inside[2] && !holding[2] -> holding[2] = true
#endif
	:: !inside[2] && holding[2] -> go_in(2)
	:: inside[2] && holding[2] -> holding[2] = false
	:: inside[2] && !holding[2] -> go_out(2)
#endif
	od
}

#if ARMS == 1
#define nobody (!admitted[0])
#elif ARMS == 2
#define nobody (!admitted[0] && !admitted[1])
#else
#define nobody (!admitted[0] && !admitted[1] && !admitted[2])
#endif

active proctype Plant()
{
	bool admitted[ARMS];
	byte arm;
#if COMPONENTS >= 3
	bool blank_up;       /* the lift is up, with a blank */
#endif
#if COMPONENTS >= 5
	bool free_up;        /* the other lift is up, and free */
#endif
#if COMPONENTS >= 8
	bool blank_waits;    /* on the feeding belt */
#endif
#if COMPONENTS >= 9
	bool plate_waits;    /* on the other belt */
#endif
#if COMPONENTS >= 12
	bool oil_in_front;
#endif

	do
	:: atomic { enter ? arm -> admitted[arm] = true; arm = 0 }
	:: atomic { leave ? arm -> admitted[arm] = false; arm = 0 }
	:: atomic { nobody -> working = true }; working = false

#if COMPONENTS >= 8
	:: !blank_waits -> blank_waits = true
	:: atomic { blank_waits && !blank_up -> blank_waits = false; blank_up = true }
#elif COMPONENTS >= 3
	:: !blank_up -> blank_up = true
#endif
#if COMPONENTS >= 4
	:: atomic { pick ? eval(blank_up) -> blank_up = false }
#elif COMPONENTS >= 3
	:: blank_up -> blank_up = false
#endif

#if COMPONENTS >= 9
	:: atomic { !free_up && !plate_waits -> plate_waits = true; free_up = true }
	:: plate_waits -> plate_waits = false
#elif COMPONENTS >= 5
	:: !free_up -> free_up = true
#endif
#if COMPONENTS >= 7
	:: atomic { put ? eval(free_up) -> free_up = false }
#elif COMPONENTS >= 5
	:: free_up -> free_up = false
#endif

#if COMPONENTS >= 12
	:: !oil_in_front -> oil_in_front = true
	:: atomic { turn ? eval(oil_in_front) -> oil_in_front = false }
#endif
	od
}

#if ARMS == 1
ltl clear { [] !(working && inside[0]) }
#elif ARMS == 2
ltl clear { [] !(working && (inside[0] || inside[1])) }
#else
ltl clear { [] !(working && (inside[0] || inside[1] || inside[2])) }
#endif
