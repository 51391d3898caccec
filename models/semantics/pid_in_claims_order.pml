/* A claim in the text does not shift the pids of the processes. */
byte n;

init {
	assert(_pid == 0); n++
}
never {
	do :: n > 3 -> break :: else od
}
active proctype P() { assert(_pid == 1); n++ }
active [2] proctype Q() { assert(_pid == 2 || _pid == 3); n = n + 0 }
