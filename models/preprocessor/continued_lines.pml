/* A newline after a complete expression ends the statement, except inside parentheses or after an operator. */
byte x
byte y

active proctype P()
{
	x = (1
	     + 2)
	y = x +
		4
	(x == 3
	 && y == 7)
	do
	:: x < 5
	   -> x++
	:: x >= 5
	   -> break
	od
	x = 0
	;
	y = 0
}
