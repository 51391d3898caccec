/* A location with an end label counts as the end of the claim. */
byte x;

active proctype P()
{
	x = 1;
	x = 2
}

never at_label {
	do
	:: x == 1 -> goto end_here
	:: else
	od;
end_here:
	x == 9;
	skip
}

never not_at_label {
	do
	:: x == 5 -> goto end_here
	:: else
	od;
end_here:
	x == 9;
	skip
}
