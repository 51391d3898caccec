/* Several formulas in one file, of both kinds: each has its own verdict. */
byte turn;
bool wants[2];

active proctype A()
{
	do
	:: wants[0] = true; turn == 0; turn = 1; wants[0] = false
	od
}

active proctype B()
{
	do
	:: wants[1] = true; turn == 1; turn = 0; wants[1] = false
	od
}

ltl range { [] (turn <= 1) }
ltl one_wants { [] ! (wants[0] && wants[1]) }
ltl served { [] (wants[0] -> <> ! wants[0]) }
ltl starts { turn == 0 U turn == 1 }
ltl first { (turn == 0) W wants[0] }
