/* Two jugs of five and three litres; the assertion fails where four litres are measured. */
byte big, small;

active proctype Pour()
{
	do
	:: big = 5
	:: small = 3
	:: big = 0
	:: small = 0
	:: d_step {
		big + small <= 5 -> big = big + small; small = 0
	   }
	:: d_step {
		big + small > 5 -> small = big + small - 5; big = 5
	   }
	:: d_step {
		big + small <= 3 -> small = big + small; big = 0
	   }
	:: d_step {
		big + small > 3 -> big = big + small - 3; small = 3
	   }
	:: assert(big != 4)
	od
}
