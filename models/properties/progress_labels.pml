/* Progress labels mark the useful part of a loop; safety counts are not affected by them. */
byte good, bad;

active proctype Loop()
{
end_loop:
	do
	:: good < 3 ->
progress_good:	good++
	:: good == 3 -> good = 0
	:: bad = 1 - bad
	od
}
