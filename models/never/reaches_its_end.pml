/* A claim that comes to its closing brace has seen what must not be. */
byte x;

active proctype P()
{
	x = 1;
	x = 2
}

never at_two { do :: x == 2 -> break :: else od }
never at_three { do :: x == 3 -> break :: else od }
never at_once { x == 0 }
never second { skip; x == 1 }
never second_wrong { skip; x == 2 }
never third { true; true; x == 2 }
