/* The init process gets its pid in the order of the text, here 1, and a started process comes after all of them. */
byte seen;

active proctype Early()
{
	assert(_pid == 0);
	seen++
}

proctype Later()
{
	assert(_pid == 3);
	seen++
}

init {
	assert(_pid == 1);
	run Later();
	seen++
}

active proctype Third()
{
	assert(_pid == 2);
	end: seen > 3
}
