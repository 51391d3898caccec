/* Array elements and fields in formulas; an index may itself vary. */
typedef Account { byte balance; bool open };
Account bank[2];
byte sum[3];
byte i;
mtype = { deposit, withdraw };
mtype last_op = deposit;

active proctype Clerk()
{
	do
	:: i < 2 ->
		bank[i].open = true;
		bank[i].balance = bank[i].balance + i + 1;
		sum[i + 1] = sum[i] + bank[i].balance;
		i++
	:: i == 2 ->
		last_op = withdraw;
		bank[0].balance--;
		break
	od
}

ltl ordered { [] (bank[1].open -> bank[0].open) }
ltl ordered_wrong { [] (bank[0].open -> bank[1].open) }
ltl rich { [] (sum[2] <= 3) }
ltl named { [] (last_op == withdraw -> i == 2) }
ltl current { [] (i < 2 -> bank[i].balance == 0 || bank[i].open) }
ltl named_wrong { [] (i == 2 -> last_op == withdraw) }
