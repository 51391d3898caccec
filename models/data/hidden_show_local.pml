/* The prefixes hidden, show and local do not change behaviour; the hidden variable is written but steers nothing. */
hidden int scratch;
show byte level = 1;
local byte mine;

active proctype Writer()
{
	do
	:: level < 4 -> level++; scratch = 5
	:: level == 4 -> break
	od
}

active proctype Owner()
{
	mine = 1;
	mine = mine + 1;
	assert(mine == 2)
}
