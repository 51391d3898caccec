/* A vending machine decides too early which message it will take next, so machine and buyer can wait for each other for ever. */
mtype = { coin, tea, coffee, refund };
chan slot = [0] of { mtype };
chan tray = [0] of { mtype };
byte credit;
byte stock = 3;

active proctype Machine()
{
end:	do
	:: credit < 3 -> slot ? coin; credit++
	:: credit >= 1 && stock > 0 -> slot ? tea; credit--; stock--; tray ! tea
	:: credit >= 2 && stock > 0 -> slot ? coffee; credit = credit - 2; stock--; tray ! coffee
	:: credit > 0 -> slot ? refund; credit = 0
	od
}

active proctype Buyer()
{
	byte purse = 4;
	mtype got;

end:	do
	:: purse > 0 -> slot ! coin; purse--
	:: slot ! tea; tray ? got; assert(got == tea)
	:: slot ! coffee; tray ? got; assert(got == coffee)
	:: slot ! refund
	od
}
