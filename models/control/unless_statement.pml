/* A single blocked statement with an escape is a choice with priority. */
bool a, b;
byte r;

active proctype Wait()
{
	(a && b) unless { a -> r = 1 };
	r = r + 2
}

active proctype SetA() { a = true }
active proctype SetB() { b = true }
