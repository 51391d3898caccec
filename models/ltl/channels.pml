/* What can be asked of channels in a formula. */
chan q = [2] of { byte };
byte got;

active proctype Sender()
{
	q!1;
	q!2;
	q!3
}

active proctype Receiver()
{
	do
	:: q?got
	od
}

ltl bounded { [] (len(q) <= 2) }
ltl never_full { [] (len(q) < 2) }
ltl head { [] (q?[3] -> got == 2) }
ltl head_wrong { [] (q?[2] -> got == 0) }
ltl somewhere { [] (q??[3] -> (got == 1 || got == 2)) }
ltl filled { (len(q) == 0) W (q?[1]) }
