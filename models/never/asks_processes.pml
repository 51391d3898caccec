/* Claims about the control and the variables of processes. */
byte x;

active proctype P()
{
	byte mine;
	mine = 2;
there:	x = mine;
	x = 0
}

active proctype Q()
{
	do
	:: x == 2 -> break
	od
}

never at_label { do :: P@there -> break :: else od }
never at_label_after { do :: P[0]@there && x == 2 -> break :: else od }
never reads { do :: P:mine == 2 && x == 0 -> break :: else od }
never reads_more { do :: P[0]:mine > 2 -> break :: else od }
never may_move { do :: enabled(1) && x == 0 -> break :: else od }
never can_move { do :: enabled(1) -> break :: else od }
never at_number { do :: pc_value(0) == 2 -> break :: else od }
