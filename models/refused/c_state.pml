/* Embedded C state is refused. */
c_state "int hidden_count" "Global"	// error: embedded C (c_state) is not supported
int x;

active proctype P()
{
	x = 1
}
